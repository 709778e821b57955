-- The role of the daemons, which owns its database and has no other right. Run once, by the image of PostgreSQL.
CREATE ROLE vestibule LOGIN;
CREATE DATABASE vestibule OWNER vestibule TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8';
