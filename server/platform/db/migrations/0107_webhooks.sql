-- Outgoing webhooks: where the owner wants events sent, the events, their deliveries and every attempt.

create table webhook_endpoints (
  id uuid primary key default uuid_v7(),
  url text not null check (length(url) between 1 and 2000),
  description text not null default '' check (length(description) <= 200),
  event_types text[] not null check (cardinality(event_types) between 1 and 50),
  -- Encrypted with SECRET. After a rotation the old one signs as well for a while.
  secret_sealed text not null,
  old_secret_sealed text,
  old_secret_until timestamptz,
  -- Null: enabled.
  disabled_reason text check (disabled_reason in ('admin', 'failing', 'gone')),
  disabled_at timestamptz,
  -- The first failure since the last success.
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  check ((disabled_reason is null) = (disabled_at is null)),
  check ((old_secret_sealed is null) = (old_secret_until is null))
);

create table webhook_events (
  id uuid primary key default uuid_v7(),
  type text not null check (length(type) between 1 and 60),
  data jsonb not null,
  -- The person that the data names: deleted with them.
  user_id uuid references profiles (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index webhook_events_user on webhook_events (user_id) where user_id is not null;
create index webhook_events_age on webhook_events (created_at);

create table webhook_deliveries (
  id uuid primary key default uuid_v7(),
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  event_id uuid not null references webhook_events (id) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0 check (attempts >= 0),
  -- How many retries of the schedule are used up. "Send again" starts over.
  retries integer not null default 0 check (retries >= 0),
  -- While an attempt runs: when it counts as lost.
  next_attempt_at timestamptz default now(),
  created_at timestamptz not null default now(),
  check ((state = 'pending') = (next_attempt_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'pending';
create index webhook_deliveries_newest on webhook_deliveries (created_at desc, id desc);
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, created_at desc, id desc);
create index webhook_deliveries_event on webhook_deliveries (event_id);

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries (id) on delete cascade,
  number integer not null check (number > 0),
  started_at timestamptz not null default now(),
  -- Null: it has not ended, or the process ended first.
  duration_ms integer check (duration_ms >= 0),
  response_status integer,
  -- The first bytes of the body.
  response_body text check (length(response_body) <= 2000),
  error text check (length(error) <= 200),
  primary key (delivery_id, number)
);

-- Records an event for the endpoints that want it, in the transaction of what it reports. `for key share` skips endpoints
-- that are being deleted.
create function record_webhook_event(event_type text, person uuid, event_data jsonb) returns void
language plpgsql as $$
declare
  new_event uuid;
begin
  insert into webhook_events (type, user_id, data)
    select event_type, (select id from profiles where id = person), event_data
     where exists (select from webhook_endpoints where disabled_reason is null and event_type = any (event_types))
    returning id into new_event;
  if new_event is null then return; end if;
  insert into webhook_deliveries (endpoint_id, event_id)
    select id, new_event from webhook_endpoints
     where disabled_reason is null and event_type = any (event_types)
       for key share;
end $$;

create function webhook_time(moment timestamptz) returns text language sql stable as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

create function webhook_member(person uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('id', id, 'email', email) from profiles where id = person
$$;

create function webhook_subscription(person uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('tier', p.subscription_tier, 'status', p.subscription_status,
           'ends_at', webhook_time(p.subscription_ends_at), 'payment_method', s.payment_method)
    from profiles p left join subscriptions s on s.user_id = p.id where p.id = person
$$;

-- All triggers are deferred to the commit: by then the rows that belong together are complete.

create function record_track_published() returns trigger language plpgsql as $$
begin
  perform record_webhook_event('track.published', null, jsonb_build_object('track', jsonb_build_object(
            'id', t.id, 'title', t.title, 'artist', t.artist, 'audience', t.audience,
            'early_access_until', webhook_time(t.early_access_until), 'duration_seconds', t.duration,
            'slug', (select slug from page_slugs s where s.item_id = t.id and s.kind = 'track' and s.is_current))))
    from tracks t where t.id = new.id and t.is_published;
  return null;
end $$;
create constraint trigger tracks_webhook_insert after insert on tracks deferrable initially deferred
  for each row when (new.is_published) execute function record_track_published();
-- A track whose deletion is undone is not published anew.
create constraint trigger tracks_webhook_update after update of is_published on tracks deferrable initially deferred
  for each row when (new.is_published and not old.is_published and old.deleted_at is null)
  execute function record_track_published();

create function record_release_published() returns trigger language plpgsql as $$
begin
  perform record_webhook_event('release.published', null, jsonb_build_object('release', jsonb_build_object(
            'id', r.id, 'kind', r.kind, 'title', r.title, 'artist', r.artist, 'audience', r.audience,
            'early_access_until', webhook_time(r.early_access_until),
            'track_count', (select count(*) from release_tracks e where e.release_id = r.id), 'slug', r.slug)))
    from releases r where r.id = new.id and r.is_published;
  return null;
end $$;
create constraint trigger releases_webhook_insert after insert on releases deferrable initially deferred
  for each row when (new.is_published) execute function record_release_published();
create constraint trigger releases_webhook_update after update of is_published on releases deferrable initially deferred
  for each row when (new.is_published and not old.is_published and old.deleted_at is null)
  execute function record_release_published();

create function record_member_joined() returns trigger language plpgsql as $$
begin
  perform record_webhook_event('member.joined', p.id, jsonb_build_object('member', webhook_member(p.id)))
    from profiles p where p.id = new.id;
  return null;
end $$;
create constraint trigger profiles_webhook_joined after insert on profiles deferrable initially deferred
  for each row when (not new.is_demo) execute function record_member_joined();

-- A plan that a simulated event of Stripe gave or took is none.
create function is_simulated_plan(person uuid) returns boolean language sql stable as $$
  select exists (
    select from subscriptions s join stripe_subscriptions b on b.id = s.stripe_subscription_id
     where s.user_id = person and not s.is_manual and b.event_is_simulated)
$$;

create function record_subscription_event(event_type text, person uuid) returns void language sql as $$
  select record_webhook_event(event_type, person, jsonb_build_object(
           'member', webhook_member(person), 'subscription', webhook_subscription(person)))
    from profiles where id = person and not is_demo
$$;

create function record_subscription_started() returns trigger language plpgsql as $$
begin
  if is_simulated_plan(new.id) then return null; end if;
  perform record_subscription_event('subscription.started', new.id);
  return null;
end $$;
create constraint trigger profiles_webhook_started_insert after insert on profiles deferrable initially deferred
  for each row when (new.subscription_status = 'active') execute function record_subscription_started();
create constraint trigger profiles_webhook_started after update of subscription_status on profiles
  deferrable initially deferred for each row
  when (new.subscription_status = 'active' and old.subscription_status <> 'active')
  execute function record_subscription_started();

-- What Stripe bills is canceled at Stripe: see record_stripe_cancellation.
create function record_subscription_ended() returns trigger language plpgsql as $$
begin
  if is_simulated_plan(new.id) then return null; end if;
  if new.subscription_status = 'canceled'
     and not exists (select from subscriptions where user_id = new.id and not is_manual) then
    perform record_subscription_event('subscription.cancelled', new.id);
  end if;
  perform record_subscription_event('subscription.ended', new.id);
  return null;
end $$;
create constraint trigger profiles_webhook_ended after update of subscription_status on profiles
  deferrable initially deferred for each row
  when (old.subscription_status = 'active' and new.subscription_status <> 'active')
  execute function record_subscription_ended();

create function record_stripe_cancellation() returns trigger language plpgsql as $$
begin
  perform record_subscription_event('subscription.cancelled', new.user_id);
  return null;
end $$;
create constraint trigger stripe_subscriptions_webhook_cancelled after update on stripe_subscriptions
  deferrable initially deferred for each row
  when (
    new.user_id is not null and not new.event_is_simulated and not new.let_go and not old.cancels
    and old.status is distinct from 'canceled' and (new.cancels or new.status = 'canceled')
  ) execute function record_stripe_cancellation();

create function record_payment() returns trigger language plpgsql as $$
begin
  perform record_webhook_event('subscription.paid', new.user_id, jsonb_build_object(
            'member', webhook_member(new.user_id),
            'payment', jsonb_build_object('id', new.id, 'amount_cents', new.amount_cents, 'currency', new.currency,
              'payment_method', new.payment_method, 'tier', new.tier, 'paid_at', webhook_time(new.paid_at))));
  return null;
end $$;
create constraint trigger payments_webhook after insert on payments deferrable initially deferred
  for each row when (new.kind = 'payment' and not new.is_simulated) execute function record_payment();
