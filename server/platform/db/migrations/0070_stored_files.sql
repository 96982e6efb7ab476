-- What each stored object was when it was made. Written in the transaction that makes a row own the object, deleted in
-- the one that drops the owner.
create table stored_files (
  storage_key text primary key,
  -- Null: made by an older version and not read since.
  byte_size bigint check (byte_size >= 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$')
);
-- Recordings have been hashed at their upload ever since.
insert into stored_files (storage_key, byte_size, sha256)
  select source_key, source_bytes, source_sha256 from tracks where source_key is not null;
