-- Plans count devices. Tabs of one browser name the same device and share one place. Null: a client from before, or
-- one that may not store anything; such a player counts as a device of its own.
alter table players add column device_id uuid;
