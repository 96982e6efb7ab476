-- Name, color and texts of the service as the owner set them, one row. Null is the default: what the configuration says,
-- or else the text of the specification.
create table branding (
  id integer primary key default 1 check (id = 1),
  brand_name text check (length(brand_name) between 1 and 60),
  tagline text check (length(tagline) between 1 and 140),
  artist_name text check (length(artist_name) between 1 and 200),
  contact_email text check (length(contact_email) between 3 and 254),
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  landing_lead text check (length(landing_lead) between 1 and 400),
  moods_heading text check (length(moods_heading) between 1 and 100),
  features_heading text check (length(features_heading) between 1 and 100),
  plans_heading text check (length(plans_heading) between 1 and 100),
  -- Tracks that visitors may play on the landing page, in order. Empty: the newest ones. Not foreign keys: one that is
  -- deleted is left out.
  landing_tracks uuid[] not null default '{}' check (cardinality(landing_tracks) <= 6),
  -- Lists of {label, url}.
  social_links jsonb not null default '[]',
  footer_links jsonb not null default '[]',
  -- Their files are named after the ids. A new picture has a new id.
  logo_id uuid,
  logo_width integer,
  logo_height integer,
  icon_id uuid,
  updated_at timestamptz,
  version integer not null default 1,
  changed_by uuid,
  changed_at timestamptz,
  check ((logo_id is null) = (logo_width is null) and (logo_id is null) = (logo_height is null))
);
insert into branding default values;

-- Every column counts, those of later releases too.
create trigger branding_version before update on branding for each row
  when (
    to_jsonb(old) - '{version,changed_by,changed_at,updated_at}'::text[]
    is distinct from
    to_jsonb(new) - '{version,changed_by,changed_at,updated_at}'::text[]
  ) execute function increment_version();
