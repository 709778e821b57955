"""Serves the peer with two workers on a free port, and says where: serve.py FOLDER, which seed.py has filled.

Each worker has a socket of its own for the same port, so that the kernel shares the connections out. With one socket for
both, whichever is idle takes most of them.
"""

import multiprocessing
import os
import signal
import socket
import sys

import uvicorn

WORKERS = 2


def listener(port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    made.bind(("127.0.0.1", port))
    made.listen(4096)
    return made


class Worker(uvicorn.Server):
    """Tells when it serves: before that it has imported FastAPI, which takes a second."""

    def __init__(self, config: uvicorn.Config, ready):
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets=None) -> None:
        await super().startup(sockets=sockets)
        self.ready.release()


def serve(own: socket.socket, ready) -> None:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    config = uvicorn.Config(
        "app:app", loop="uvloop", http="httptools", access_log=False, log_level="warning", server_header=False, backlog=4096
    )
    Worker(config, ready).run(sockets=[own])


if __name__ == "__main__":
    folder = sys.argv[1]
    os.environ.update(PEER_DATABASE=f"{folder}/peer.sqlite", PEER_KEY=f"{folder}/key.pem")
    sockets = [listener(0)]
    port = sockets[0].getsockname()[1]
    sockets += [listener(port) for _ in range(WORKERS - 1)]
    fork = multiprocessing.get_context("fork")
    ready = fork.Semaphore(0)
    workers = [fork.Process(target=serve, args=(each, ready)) for each in sockets]
    for worker in workers:
        worker.start()
    signal.signal(signal.SIGTERM, lambda *_: [worker.terminate() for worker in workers])
    for _ in workers:
        ready.acquire()
    print(f"peer listening on http://127.0.0.1:{port}", flush=True)
    for worker in workers:
        worker.join()
