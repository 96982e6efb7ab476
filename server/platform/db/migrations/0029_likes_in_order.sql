-- Locks rows, not the table: likes are read and made meanwhile, only taking one back waits.
update likes l set track_created_at = t.created_at from tracks t where t.id = l.track_id and l.track_created_at is null;
create index likes_in_order on likes (user_id, track_created_at desc, track_id desc);
