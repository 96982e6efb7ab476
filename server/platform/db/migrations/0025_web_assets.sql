-- Hashed files of every build that was served lately: while an upgrade rolls through the instances, a page of one
-- version is answered by the other as well, and pages that were opened before go on.
create table web_assets (
  path text primary key check (length(path) <= 255),
  bytes bytea not null,
  served_at timestamptz not null default now()
);
