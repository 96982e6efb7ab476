// Builds the JSON body of a webhook request from the stored event, so that each attempt sends the same bytes.
import { pagePath } from '#contract/public-pages.ts'
import { webhookApiVersion, type WebhookPayload } from '#contract/webhook-events.ts'
import type { Config } from '../../platform/config/config.ts'

export interface StoredEvent {
  id: string
  type: string
  created_at: string
  data: Record<string, unknown>
}

export function buildWebhookBody(config: Pick<Config, 'publicUrl'>, event: StoredEvent): string {
  const { id, type, created_at, data } = event
  const payload: WebhookPayload = {
    id,
    type,
    created_at,
    api_version: webhookApiVersion,
    data: Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, withUrl(config.publicUrl, name, value)]),
    ),
  }
  return JSON.stringify(payload)
}

interface Published {
  id: string
  slug: string
  audience: string
  early_access_until: string | null
}

/** Replaces the stored slug of a track or release with its URL. */
function withUrl(publicUrl: string, name: string, value: unknown): unknown {
  if (name !== 'track' && name !== 'release') return value
  const { slug, ...item } = value as Published
  const isForEveryone = item.audience === 'everyone' && item.early_access_until === null
  const memberPath = name === 'track' ? `/browse?track=${item.id}` : `/releases/${slug}`
  return { ...item, url: publicUrl + (isForEveryone ? pagePath(name, slug) : memberPath) }
}
