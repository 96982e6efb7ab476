-- The commit that an instance runs; null where it is unknown, and for instances of older versions.
alter table instances add column commit text check (length(commit) <= 64);
