// Reads and changes the signed-in person's own profile.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { isPremium } from '#contract/plans.ts'
import type { Profile } from '#contract/profiles.ts'
import type * as contract from '#contract/profiles.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { isSecondFactorMissing } from '../../platform/http/admit.ts'
import type { Actor, Context, MemberContext } from '../../platform/operations/context.ts'
import { readStripeFacts } from '../billing/stripe-facts.ts'
import {
  deletePicture,
  storeUploadedPicture,
  type PictureServices,
} from '../pictures/store-picture.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'

export interface ProfileServices {
  pictures: PictureServices
  settings: Pick<SettingsCache, 'current'>
}

export async function getProfile(
  { actor, db }: Context,
  adminsNeedTwoFactor: boolean,
): Promise<Output<typeof contract.getProfile>> {
  return { data: actor && (await toProfile(db, actor, adminsNeedTwoFactor)) }
}

async function toProfile(
  handle: Handle,
  actor: Actor,
  adminsNeedTwoFactor: boolean,
): Promise<Profile> {
  const { user_id, session_id: _, credential: _credential, ...shown } = actor
  return {
    id: user_id,
    ...shown,
    ...(await readStripeFacts(handle, user_id)),
    is_premium: isPremium(actor.subscription_status),
    second_factor_required: isSecondFactorMissing(actor, adminsNeedTwoFactor),
  }
}

/** Changes the name and the picture in one transaction. If the picture is changed, deletes the previous one. */
export async function updateProfile(
  { pictures, settings }: Pick<ProfileServices, 'pictures' | 'settings'>,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.updateProfile>,
): Promise<Output<typeof contract.updateProfile>> {
  const { display_name, avatar_path } = body
  const picture = await storeUploadedPicture(pictures, ctx, avatar_path, 'avatar')
  const shown = await transaction(ctx.db, async (trx) => {
    // Lock the row, so that the second of two concurrent changes reads and deletes the picture of the first.
    const before = await trx.query
      .selectFrom('profiles')
      .select(['display_name', 'avatar_url', 'avatar_id'])
      .where('id', '=', ctx.actor.user_id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const avatar_id = (await picture?.claim(trx)) ?? null
    const changes = {
      ...(display_name !== undefined && { display_name }),
      ...(avatar_path !== undefined && { avatar_id, avatar_url: avatarUrl(avatar_id) }),
    }
    if (Object.keys(changes).length > 0) await saveChanges(ctx, trx, changes)
    if (avatar_path !== undefined && before.avatar_id) await deletePicture(trx, before.avatar_id)
    const { avatar_id: _, ...after } = { ...before, ...changes }
    return after
  })
  const actor = { ...ctx.actor, ...shown }
  return toProfile(ctx.db, actor, settings.current().admins_need_two_factor)
}

function avatarUrl(imageId: string | null): string | null {
  return imageId && `/media/avatars/${imageId}/384.webp`
}

async function saveChanges(
  ctx: MemberContext,
  trx: Transaction,
  changes: { display_name?: string; avatar_id?: string | null; avatar_url?: string | null },
): Promise<void> {
  await trx.query
    .updateTable('profiles')
    .set({ ...changes, updated_at: ctx.now().toISOString() })
    .where('id', '=', ctx.actor.user_id)
    .execute()
}

/** Records that the member asks the admins to delete the account. Repeating the request does not change its date. */
export async function requestAccountDeletion(ctx: MemberContext): Promise<void> {
  await ctx.db.query
    .updateTable('profiles')
    .set({ deletion_requested_at: ctx.now().toISOString() })
    .where('id', '=', ctx.actor.user_id)
    .where('deletion_requested_at', 'is', null)
    .execute()
}
