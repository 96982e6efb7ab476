-- Responses of requests with an Idempotency-Key, kept for a day: the same request sent again gets the same response.

create table idempotency_keys (
  -- SHA-256 of the account and the key.
  id text primary key,
  user_id uuid not null references profiles (id) on delete cascade,
  -- SHA-256 of the request: method, address and body.
  fingerprint text not null,
  status smallint not null,
  -- Sealed: the response may hold a secret that is stored nowhere else.
  answer text not null,
  expires_at timestamptz not null
);
create index idempotency_keys_expires on idempotency_keys (expires_at);
create index idempotency_keys_user on idempotency_keys (user_id);
