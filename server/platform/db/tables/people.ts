// Tables for people, their sessions and keys, and the notes of admins about them.
import type { Generated } from 'kysely'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import type { TokenScope } from '#contract/token-scopes.ts'

interface Profiles {
  id: Generated<string>
  email: string
  email_verified: Generated<boolean>
  display_name: Generated<string>
  avatar_url: string | null
  avatar_id: string | null
  two_factor_enabled: Generated<boolean>
  subscription_tier: Generated<Tier>
  subscription_status: Generated<SubscriptionStatus>
  subscription_ends_at: string | null
  banned_at: string | null
  deletion_requested_at: string | null
  is_demo: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface UserRoles {
  user_id: string
  role: Generated<'admin' | 'editor' | 'creator' | 'member'>
}

interface Sessions {
  id: Generated<string>
  user_id: string
  token: string
  expires_at: string
  ip_address: string | null
  user_agent: string | null
  /** When the password or a second-factor code was last entered in this session. */
  confirmed_at: Generated<string>
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface Accounts {
  id: Generated<string>
  user_id: string
  account_id: string
  provider_id: string
  access_token: string | null
  refresh_token: string | null
  id_token: string | null
  access_token_expires_at: string | null
  refresh_token_expires_at: string | null
  scope: string | null
  password: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface Verifications {
  id: Generated<string>
  identifier: string
  value: string
  expires_at: string
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface TwoFactors {
  id: Generated<string>
  user_id: string
  secret: string
  backup_codes: string
  verified: Generated<boolean>
  failed_verification_count: Generated<number>
  locked_until: string | null
}

interface RateLimits {
  key: string
  count: number
  resets_at: string
}

interface IdempotencyKeys {
  id: string
  user_id: string
  fingerprint: string
  status: number
  answer: string
  expires_at: string
}

interface TermsConsents {
  user_id: string
  slug: Generated<string>
  number: number
  consented_at: Generated<string>
  way: 'sign_up' | 'asked'
}

interface AuditLog {
  id: Generated<string>
  actor_id: string | null
  action: string
  entity: string
  entity_id: string | null
  before: unknown
  after: unknown
  ip_address: string | null
  token_name: string | null
  created_at: Generated<string>
}

interface DeviceKeys {
  id: Generated<string>
  user_id: string
  name: string
  key_hash: string
  key_sealed: string
  purpose: Generated<'app' | 'feed'>
  created_at: Generated<string>
  last_used_at: string | null
  last_client: string | null
  last_network: string | null
}

interface AccessTokens {
  id: Generated<string>
  user_id: string
  name: string
  token_hash: string
  scopes: TokenScope[]
  expires_at: string
  created_at: Generated<string>
  last_used_at: string | null
  last_network: string | null
}

interface PersonNotes {
  id: Generated<string>
  user_id: string
  author_id: string | null
  body: string
  created_at: Generated<string>
}

interface Invitations {
  id: Generated<string>
  email: string
  display_name: Generated<string>
  role: Generated<'admin' | 'editor' | 'creator' | 'member'>
  subscription_tier: Generated<Tier>
  token_hash: string | null
  sent_at: string | null
  expires_at: string
  invited_by: string | null
  created_at: Generated<string>
}

interface KnownDevices {
  user_id: string
  name: string
  first_seen_at: Generated<string>
  seen_at: Generated<string>
}

interface PeopleCounts {
  subscription_status: string
  is_premium: boolean
  count: number
}

interface AuditCounts {
  action: string
  entity: string
  count: number
}

export interface PeopleTables {
  profiles: Profiles
  user_roles: UserRoles
  sessions: Sessions
  accounts: Accounts
  verifications: Verifications
  two_factors: TwoFactors
  rate_limits: RateLimits
  idempotency_keys: IdempotencyKeys
  people_counts: PeopleCounts
  person_notes: PersonNotes
  invitations: Invitations
  known_devices: KnownDevices
  device_keys: DeviceKeys
  access_tokens: AccessTokens
  audit_log: AuditLog
  audit_counts: AuditCounts
  terms_consents: TermsConsents
}
