-- The audit log is searched by the thing that was changed: by its id, or the first characters of it.
create index audit_log_entity_id on audit_log (entity_id text_pattern_ops);
