// Every error that the API returns: stable code → HTTP status → text for people. Clients compare codes, never texts.
// Texts given by the specification are used verbatim.
import * as z from 'zod/mini'

export const errors = {
  invalid_input: [400, 'The request is not valid.'],
  file_empty: [400, 'The file is empty.'],
  invalid_email: [400, 'Please enter a valid email address.'],
  password_too_short: [400, 'Password must have at least 8 characters.'],
  password_too_long: [400, 'Password must have at most 128 characters.'],
  admin_password_too_short: [400, 'The password of an admin must have at least 12 characters.'],
  password_too_common: [
    400,
    'This password is one of the most common ones, which are guessed first. Choose another one.',
  ],
  reset_token_invalid: [400, 'This link is no longer valid. Please ask for a new one.'],
  confirm_token_invalid: [400, 'This link is no longer valid. Sign in to get a new one.'],
  unauthenticated: [401, 'Authentication required'],
  token_invalid: [401, 'This access token is not valid. It may have expired or been revoked.'],
  invalid_credentials: [401, 'Invalid email or password'],
  two_factor_invalid: [401, 'That code is not right. Please try again.'],
  two_factor_expired: [401, 'This sign-in took too long. Please start again.'],
  password_wrong: [403, 'That password is not right.'],
  reauthentication_required: [403, "Please confirm that it's you, then try again."],
  second_factor_required: [
    403,
    'Admins of this service need two-factor authentication. Set it up on your profile.',
  ],
  token_scope: [403, 'This access token does not have the scope that this needs.'],
  token_refused: [403, 'This cannot be done with an access token. Sign in to do it.'],
  email_not_verified: [403, 'Please confirm your email address first. We have sent you a link.'],
  forbidden: [403, 'You must be an admin to access this page.'],
  foreign_origin: [403, 'This request comes from another site.'],
  banned: [403, 'This account has been banned.'],
  premium_required: [403, 'Full playback available with Premium'],
  playlist_limit_reached: [
    403,
    'Free users can create 1 playlist with up to 10 tracks. Upgrade for unlimited playlists!',
  ],
  track_limit_reached: [
    403,
    'Free users can add up to 10 tracks per playlist. Upgrade for unlimited tracks!',
  ],
  owner_track_limit_reached: [
    403,
    'The owner of this playlist has the Free plan, which allows up to 10 tracks per playlist.',
  ],
  playlist_owner_only: [403, 'Only the owner of this playlist can do that.'],
  playlist_read_only: [
    403,
    'You can listen to this playlist, but its owner has not let you change it.',
  ],
  not_found: [404, 'Not found'],
  playlist_not_found: [404, 'Playlist not found'],
  playlist_member_not_found: [404, 'This person does not share the playlist any more.'],
  invitation_invalid: [404, 'This invitation is no longer valid. Ask the owner for a new link.'],
  category_not_found: [404, 'Category not found'],
  track_not_found: [404, 'Track not found'],
  release_not_found: [404, 'Release not found'],
  genre_not_found: [404, 'Genre not found'],
  legal_page_not_found: [404, 'Legal page not found'],
  artist_not_found: [404, 'Artist not found'],
  track_file_missing: [
    404,
    'The audio of this track is missing. It is being made again: try again in a few minutes.',
  ],
  upload_not_found: [404, 'Upload not found'],
  user_not_found: [404, 'User not found'],
  job_not_found: [404, 'This job is not in the list any more.'],
  method_not_allowed: [405, 'This address does not take that method.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  conflict: [409, 'Someone else changed this in the meantime. Reload and try again.'],
  changed_meanwhile: [409, 'Someone else changed this while you were editing.'],
  track_already_in_playlist: [409, 'Track already in playlist'],
  playlist_is_smart: [409, 'This playlist fills itself by its rules. Change the rules instead.'],
  playlist_not_smart: [409, 'This playlist has tracks of its own and no rules.'],
  too_many_playlist_members: [409, 'This playlist is shared with 50 people already.'],
  category_exists: [409, 'A category with this name already exists.'],
  genre_exists: [409, 'A genre with this name already exists.'],
  artist_exists: [409, 'An artist with this name already exists.'],
  artist_slug_taken: [409, 'Another artist has this address.'],
  artist_in_use: [409, 'Tracks or releases name this artist, so it cannot be deleted.'],
  artist_line_too_long: [
    422,
    'The artists of a track would be longer than 200 characters together. Use shorter names or fewer featured artists.',
  ],
  source_missing: [
    409,
    'The recording of this track is missing or damaged. Upload it again as its new recording.',
  ],
  legal_page_unfinished: [
    409,
    'Parts of this page are still to be filled in. They stand between [[ and ]].',
  ],
  legal_page_published: [409, 'A page that was published cannot be deleted. Hide it instead.'],
  genre_in_use: [409, 'This genre is used by tracks and cannot be deleted.'],
  backup_not_set_up: [409, 'No place for backups is set. Set BACKUP_TO on the server.'],
  backup_not_found: [404, 'That backup is not in the place for backups any more.'],
  backup_unreadable: [503, 'The backup cannot be read now. The System page says more.'],
  backup_running: [409, 'A backup is being made already.'],
  own_account: [409, 'You cannot ban, delete or change the role of your own account.'],
  last_admin: [409, 'This is the last admin. Make somebody else an admin first.'],
  not_manual: [409, 'This subscription is run by Stripe.'],
  stripe_runs_it: [
    409,
    'Stripe bills this person. Change the plan in the customer portal, or downgrade to Free first.',
  ],
  too_many_notes: [409, 'This person has 500 notes. Delete some first.'],
  selection_too_large: [409, 'At most 500 people can be changed at once. Narrow the filters.'],
  selection_changed: [409, 'The list has changed in the meantime. Look at it again and repeat.'],
  selection_billed: [
    409,
    'Stripe bills some of these people, so nothing was changed. Leave them out, or change them one by one.',
  ],
  selection_not_manual: [
    409,
    'Some of these people have no manual subscription, so nothing was changed. Leave them out.',
  ],
  refund_too_large: [409, 'This is more than the person has paid.'],
  release_in_past: [400, 'That moment has passed. Choose a later one, or publish now.'],
  too_many_keys: [409, 'You have 20 of these already. Revoke one that you no longer use.'],
  invalid_expiry: [400, 'The end must be in the future, and at most 366 days away.'],
  invalid_period: [400, 'The end date is before the start date.'],
  stripe_not_configured: [409, 'Stripe is not set up yet.'],
  already_subscribed: [409, 'You already have a subscription.'],
  checkout_replaced: [409, 'You opened another payment page meanwhile. Please try again.'],
  stripe_failed: [502, 'Stripe did not answer as expected. Please try again.'],
  webhook_invalid: [400, 'Invalid payload or processing error'],
  webhook_url_refused: [
    400,
    'The address must start with https:// and contain neither a user name nor a password.',
  ],
  webhook_url_private: [400, 'This address is inside a private network.'],
  webhook_disabled: [409, 'This endpoint is disabled. Enable it first.'],
  too_many_webhooks: [409, 'There are 20 endpoints already. Delete one that is no longer used.'],
  email_exists: [409, 'An account with this email already exists.'],
  invitation_exists: [
    409,
    'This address has been invited already. You can send the invitation again from the list.',
  ],
  invitation_list_empty: [
    400,
    'No addresses were found. The list needs a column of email addresses.',
  ],
  invitation_list_too_long: [400, 'A list can have at most 1,000 people. Split it.'],
  invitation_void: [
    409,
    'Who sent this invitation is no longer an admin. Revoke it, then invite again.',
  ],
  invitation_just_sent: [
    409,
    'This invitation was sent less than 5 minutes ago. Please wait before you send it again.',
  ],
  two_factor_already_on: [409, 'Two-factor authentication is on already.'],
  two_factor_off: [409, 'Two-factor authentication is not on.'],
  two_factor_needs_email: [
    409,
    'Two-factor authentication needs a confirmed email address. Confirm yours first, with a link that your profile can send you.',
  ],
  email_already_confirmed: [409, 'This email address is confirmed already.'],
  own_two_factor_off: [409, 'Set up two-factor authentication for your own account first.'],
  own_two_factor: [409, 'Change your own two-factor authentication on your profile.'],
  release_published: [
    409,
    'Members can see this already. Hide it in the same step to publish it at a date.',
  ],
  release_slug_taken: [409, 'Another release has or had this address. Choose another one.'],
  release_empty: [409, 'None of its tracks is published. Publish the tracks too, or add some.'],
  too_much_evidence: [409, 'This track has as many evidence files as it may have.'],
  import_not_found: [404, 'There is no such import.'],
  list_empty: [409, 'Nothing of this list is in the library.'],
  import_over: [409, 'This import is over.'],
  import_not_listed: [409, 'There is no list to confirm: the import goes on by itself.'],
  import_url_refused: [
    400,
    'The address must start with https:// and contain neither a user name nor a password.',
  ],
  import_url_private: [
    400,
    'This address is inside a private network. IMPORTS_FROM_PRIVATE_ADDRESSES=on allows it.',
  ],
  track_exists: [409, 'This recording is in the library already.'],
  too_many_versions: [409, 'A song has at most 50 versions.'],
  playing_elsewhere: [409, 'Your account is playing on another device.'],
  track_not_ready: [409, 'This track is still being processed.'],
  upload_used: [409, 'This upload was used already.'],
  upload_incomplete: [409, 'The upload is not complete yet.'],
  upload_transport: [409, 'This file is to be sent another way. Ask for a new upload link.'],
  upload_damaged: [409, 'The file was damaged on its way. Please send it again.'],
  idempotency_key_in_progress: [
    409,
    'A request with this Idempotency-Key is still running. Try again in a moment.',
  ],
  idempotency_key_reused: [
    422,
    'This Idempotency-Key was used for another request. Use a new key for each thing to do.',
  ],
  undo_expired: [410, 'This can no longer be undone.'],
  upload_expired: [410, 'The upload link has expired.'],
  upload_locked: [423, 'This file is being sent already. Please try again in a moment.'],
  upload_token_invalid: [403, 'The upload link is not valid.'],
  precondition_failed: [412, 'This is not the version that you asked for.'],
  payload_too_large: [413, 'The file is too large.'],
  unsupported_archive: [415, 'This file is not a zip archive.'],
  unsupported_media: [415, 'This file is not audio that can be played.'],
  unsupported_evidence: [415, 'Evidence is a PDF, a PNG, JPEG or WebP picture, or a text file.'],
  unsupported_image: [415, 'This file is not a picture that can be shown.'],
  unsupported_content_type: [415, 'This address does not take that content type.'],
  image_too_large: [413, 'The picture has too many pixels.'],
  range_not_satisfiable: [416, 'The requested range lies outside of the file.'],
  misdirected_request: [
    421,
    'This service does not answer under this name. Its owner can set PUBLIC_URL to the address that people type.',
  ],
  media_too_long: [422, 'The recording is too long.'],
  media_damaged: [422, 'The recording is damaged and cannot be read.'],
  rate_limited: [429, 'Too many requests. Please wait a moment.'],
  too_many_streams: [
    429,
    'Your account is playing in too many places at once. Please stop one of them and try again.',
  ],
  too_many_downloads: [
    429,
    'Your account has downloaded as many tracks today as it may. Please go on tomorrow.',
  ],
  headers_too_large: [431, 'The head of the request is too large.'],
  internal: [500, 'Something went wrong on our side.'],
  maintenance: [503, 'We are making things better. Please come back in a little while.'],
  unavailable: [503, 'The service is not available right now. Please try again shortly.'],
  storage_full: [507, 'There is no room left on the server for this file.'],
} as const satisfies Record<string, readonly [status: number, text: string]>

export type ErrorCode = keyof typeof errors

/** The body of every error response. `details` names the invalid fields, or other helpful data. */
export const errorBody = z.object({
  error: z
    .object({
      code: z.string().check(z.describe('Stable: compare this, never the text.')),
      message: z.string().check(z.describe('A text for people. It may change.')),
      details: z
        .optional(z.unknown())
        .check(z.describe('With `invalid_input` the invalid fields: `[{ field, message }]`.')),
    })
    .check(z.describe('Why the request was refused.')),
})
export type ErrorBody = z.infer<typeof errorBody>

/** One invalid field and its problem. */
export interface FieldProblem {
  field: string
  message: string
}
