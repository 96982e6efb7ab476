// Branding is the service's name, colors and texts. They are returned to the back office, saved, and applied on every
// instance immediately.
import type * as contract from '#contract/admin/admin-branding.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { pickAuditedColumns } from '../../platform/audit/audited-columns.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Config } from '../../platform/config/config.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import type { BrandingRow } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { PictureServices } from '../pictures/store-picture.ts'
import { brandingDefaults, getLogo, readBrandingRow } from '../settings/branding.ts'
import { getIcons } from '../settings/emblem-files.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { coverUrl } from '../tracks/track-query.ts'
import { dropEmblem, encodeEmblemUpload, type TakenEmblem } from './emblems.ts'

export interface BrandingServices {
  config: Config
  settings: SettingsCache
  pictures: PictureServices
}

type Answer = Output<typeof contract.getBranding>

export async function getBranding(services: BrandingServices, ctx: MemberContext): Promise<Answer> {
  return toResponse(services, ctx.db, await readBrandingRow(ctx.db))
}

export async function updateBranding(
  services: BrandingServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.updateBranding>,
): Promise<Answer> {
  const { social_links, footer_links, logo_path, icon_path, ...plain } = body.branding
  const logo = await encodeEmblemUpload(services.pictures, ctx, logo_path, 'logo')
  const icon = await encodeEmblemUpload(services.pictures, ctx, icon_path, 'icon')
  const saved = await transaction(ctx.db, async (trx) => {
    const before = await readBrandingRow(trx, { lock: true })
    await refuseStale(trx, before, body.version, () => toResponse(services, trx, before))
    await trx.query
      .updateTable('branding')
      .set({
        ...plain,
        ...(logo_path !== undefined && (await replaceLogo(trx, before, logo))),
        ...(icon_path !== undefined && (await replaceIcon(trx, before, icon))),
        ...(social_links && { social_links: JSON.stringify(social_links) }),
        ...(footer_links && { footer_links: JSON.stringify(footer_links) }),
        ...changedBy(ctx),
        updated_at: ctx.now().toISOString(),
      })
      .where('id', '=', 1)
      .execute()
    const after = await readBrandingRow(trx)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: 'branding',
      before: pickAuditedColumns(before),
      after: pickAuditedColumns(after),
    })
    await notify(trx, 'settings')
    return toResponse(services, trx, after)
  })
  // This instance applies the change now. Other instances apply it when they are notified.
  await services.settings.reload()
  return saved
}

async function replaceLogo(trx: Transaction, before: BrandingRow, logo: TakenEmblem | null) {
  await dropEmblem(trx, 'logo', before.logo_id)
  if (!logo) return { logo_id: null, logo_width: null, logo_height: null }
  return { logo_id: await logo.claim(trx), logo_width: logo.width, logo_height: logo.height }
}

async function replaceIcon(trx: Transaction, before: BrandingRow, icon: TakenEmblem | null) {
  await dropEmblem(trx, 'icon', before.icon_id)
  return { icon_id: icon && (await icon.claim(trx)) }
}

async function toResponse(
  { config }: BrandingServices,
  handle: Handle,
  row: BrandingRow,
): Promise<Answer> {
  return {
    ...pickShown(row),
    logo: getLogo(row),
    icon_url: row.icon_id && getIcons(row.icon_id).small,
    landing_tracks: await readTracks(handle, row.landing_tracks),
    defaults: brandingDefaults(config, row),
  }
}

function pickShown(row: BrandingRow) {
  const {
    id: _id,
    changed_by: _by,
    changed_at: _at,
    landing_tracks: _tracks,
    logo_id: _logo,
    logo_width: _width,
    logo_height: _height,
    icon_id: _icon,
    ...shown
  } = row
  return shown
}

/**
 * The tracks chosen for the landing page, in the chosen order. Includes drafts for admins; the landing page leaves them
 * out.
 */
async function readTracks(
  handle: Handle,
  ids: readonly string[],
): Promise<Answer['landing_tracks']> {
  if (ids.length === 0) return []
  const tracks = await handle.query
    .selectFrom('tracks as t')
    .leftJoin('images as cover', 'cover.id', 't.cover_id')
    .select([
      't.id',
      't.title',
      't.artist',
      't.duration',
      't.explicit',
      't.loudness_lufs',
      't.true_peak_dbtp',
      't.ai_disclosure',
      't.is_published',
      coverUrl('t.cover_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
    ])
    .where('t.id', 'in', ids)
    .execute()
  return ids.flatMap((id) => tracks.filter((track) => track.id === id))
}
