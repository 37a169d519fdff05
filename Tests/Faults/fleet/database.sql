-- Creates the role and the database of the servers. todo-server creates the tables.
CREATE ROLE todo LOGIN PASSWORD '@password@';
CREATE DATABASE todo OWNER todo ENCODING UTF8 TEMPLATE template0;
