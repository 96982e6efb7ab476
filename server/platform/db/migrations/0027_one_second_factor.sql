-- A person has one second factor. Two requests at once could begin two, and a code was then looked for in either. Kept is
-- what signs in: a set-up that was finished before one that was not, and of several the one begun last.
lock table two_factors in share row exclusive mode;
delete from two_factors t using two_factors better
 where better.user_id = t.user_id and (better.verified, better.id) > (t.verified, t.id);
create unique index two_factors_user_key on two_factors (user_id);
drop index two_factors_user;
