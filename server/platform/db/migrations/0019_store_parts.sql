-- Files that go to an object store in parts: what the store calls the upload, and how the file is cut. Without them it
-- comes through a server.
alter table uploads
  add column store_upload_id text check (length(store_upload_id) between 1 and 2000),
  add column part_bytes integer check (part_bytes > 0),
  add check ((store_upload_id is null) or (part_bytes is not null and byte_size is not null));
