#!/bin/sh
# Creates the login and the database of secplat in a new cluster. Patroni runs it once, with the URL of the superuser.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set password="$LOGIN_PASSWORD" "$1" <<'SQL'
create role secplat login createrole password :'password';
create database secplat owner secplat;
SQL
