-- Whether the address is confirmed is part of what instances keep about a signed-in person: drop it when it changes.
create or replace trigger profiles_changed after update on profiles
  for each row when (
    (old.email, old.email_verified, old.display_name, old.avatar_url, old.two_factor_enabled, old.banned_at,
     old.subscription_tier, old.subscription_status, old.subscription_ends_at)
    is distinct from
    (new.email, new.email_verified, new.display_name, new.avatar_url, new.two_factor_enabled, new.banned_at,
     new.subscription_tier, new.subscription_status, new.subscription_ends_at)
  )
  execute function tell_changed_person('id');
