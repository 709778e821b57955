"""Serves the peer with two workers on a free port, and says where: serve.py FOLDER, which seed.py has filled."""

import os
import socket
import sys

import uvicorn

if __name__ == "__main__":
    folder = sys.argv[1]
    os.environ.update(PEER_DATABASE=f"{folder}/peer.sqlite", PEER_KEY=f"{folder}/key.pem")
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(f"peer listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    uvicorn.run(
        "app:app", app_dir=os.path.dirname(os.path.abspath(__file__)), fd=listener.fileno(), workers=2,
        loop="uvloop", http="httptools", access_log=False, log_level="warning", server_header=False,
    )
