-- The database image runs this once, as the superuser `postgres`, when the volume is empty.
-- The app gets a role that owns its one database and may do nothing else on the server.
\getenv password POSTGRES_PASSWORD
CREATE ROLE credits LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE credits OWNER credits;
REVOKE ALL ON DATABASE credits FROM PUBLIC;
REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC;
-- From here on nobody signs in as the superuser over the network, only inside the container:
-- docker compose exec db psql --username=postgres credits
ALTER ROLE postgres PASSWORD NULL;
