// Routes for the device keys and access tokens of the signed-in person.
import * as tokensContract from '#contract/access-tokens.ts'
import * as keysContract from '#contract/device-keys.ts'
import type { Route } from '../../platform/http/route.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import {
  createAccessToken,
  listAccessTokens,
  revokeAccessToken,
} from './access-token-operations.ts'
import { createDeviceKey, listDeviceKeys, revokeDeviceKey } from './device-key-operations.ts'
import type { KeyCheck } from './key-check.ts'
import type { KeyNotices } from './key-notices.ts'

interface KeyRouteServices extends KeyNotices {
  settings: Pick<SettingsCache, 'current'>
  keys: Pick<KeyCheck, 'evict'>
}

export function keyRoutes(route: Route, services: KeyRouteServices): void {
  const { keys, settings } = services
  const adminsNeedTwoFactor = () => settings.current().admins_need_two_factor
  route(keysContract.createDeviceKey, (ctx, input) => createDeviceKey(services, ctx, input))
  route(keysContract.listDeviceKeys, listDeviceKeys)
  route(keysContract.revokeDeviceKey, async (ctx, input) => {
    await revokeDeviceKey(ctx, input)
    keys.evict(ctx.actor.user_id)
  })
  route(tokensContract.createAccessToken, (ctx, input) =>
    createAccessToken(services, adminsNeedTwoFactor, ctx, input),
  )
  route(tokensContract.listAccessTokens, listAccessTokens)
  route(tokensContract.revokeAccessToken, async (ctx, input) => {
    await revokeAccessToken(ctx, input)
    keys.evict(ctx.actor.user_id)
  })
}
