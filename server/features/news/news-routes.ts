// Routes for news preferences and for unsubscribing.
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/news.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PageFrame } from '../public-pages/render-page.ts'
import { getNewsPreferences, updateNewsPreferences } from './news-preferences.ts'
import { unsubscribeRoutes, type UnsubscribeServices } from './unsubscribe.ts'

export async function newsRoutes(
  app: FastifyInstance,
  route: Route,
  services: UnsubscribeServices,
  frame: () => PageFrame,
): Promise<void> {
  route(contract.getNewsPreferences, getNewsPreferences)
  route(contract.updateNewsPreferences, updateNewsPreferences)
  await unsubscribeRoutes(app, services, frame)
}
