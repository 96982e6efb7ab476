// Builds the HTTP server: hooks, and the routes of every feature.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { adminTrackRoutes } from './features/tracks/admin-track-routes.ts'
import { billingRoutes } from './features/billing/billing-routes.ts'
import { giftRoutes } from './features/billing/gifts/gift-routes.ts'
import { priceRoutes } from './features/billing/prices/price-routes.ts'
import { receiptRoutes } from './features/billing/receipts/receipt-routes.ts'
import { promotionRoutes } from './features/billing/promotions/promotion-routes.ts'
import { refundRoutes } from './features/billing/refunds/refund-routes.ts'
import { membershipRoutes } from './features/billing/membership/membership-routes.ts'
import { referralRoutes } from './features/billing/referrals/referral-routes.ts'
import { billingEventRoutes } from './features/billing/events/billing-event-routes.ts'
import { adminCategoryRoutes } from './features/categories/admin-category-routes.ts'
import { categoryRoutes } from './features/browse/category-routes.ts'
import { genreRoutes } from './features/genres/genre-routes.ts'
import { artistRoutes } from './features/artists/artist-routes.ts'
import { invitationRoutes } from './features/invitations/invitation-routes.ts'
import { userRoutes } from './features/users/user-routes.ts'
import type { Config } from './platform/config/config.ts'
import { perObject } from './platform/process/per-object.ts'
import type { Branding } from './features/settings/branding.ts'
import { getIcons } from './features/settings/emblem-files.ts'
import { auditRoutes } from './features/audit/audit-routes.ts'
import { brandingRoutes } from './features/branding/branding-routes.ts'
import { figureMailRoutes } from './features/figure-mails/figure-mail-routes.ts'
import { mailSetupRoutes } from './features/mail-setup/mail-setup-routes.ts'
import { stripeConnectionRoutes } from './features/billing/connection/stripe-connection-routes.ts'
import { settingsRoutes } from './features/settings/settings-routes.ts'
import { liveEventRoutes } from './features/live-events/live-event-routes.ts'
import { apiDocsRoutes } from './platform/http/openapi/api-docs-routes.ts'
import { AppError } from './platform/operations/app-error.ts'
import { drainConnections } from './platform/http/drain-connections.ts'
import { homeRoutes } from './features/home/home-routes.ts'
import { insightRoutes } from './features/insights/insight-routes.ts'
import { isLocalRequest } from './platform/http/refusals/local-request.ts'
import { handleErrors, sendError } from './platform/http/error-handler.ts'
import { healthRoutes } from './features/health/health-routes.ts'
import { refuseUnknownHosts } from './platform/http/refusals/known-hosts.ts'
import { maxParamLength, refuseDisallowedMethods } from './platform/http/refusals/known-methods.ts'
import { limitAnonymousTraffic } from './platform/limits/anonymous-traffic.ts'
import { collectEndpoints } from './platform/http/openapi/openapi.ts'
import { trackOwnWrites } from './platform/http/own-writes.ts'
import {
  createCallOperation,
  createRoute,
  type Route,
  type RouteServices,
} from './platform/http/route.ts'
import {
  buildSecurityHeaders,
  sendSecurityHeaders,
} from './platform/http/refusals/security-headers.ts'
import {
  handleMalformedRequest,
  refuseAmbiguousHosts,
} from './platform/http/refusals/malformed-request.ts'
import { refuseForeignOrigins } from './platform/http/refusals/same-origin.ts'
import { endUnfinishedBodies } from './platform/http/refusals/unfinished-bodies.ts'
import { rewriteVersionedPath } from './platform/http/versioned-paths.ts'
import { serveWebFiles } from './platform/http/web-files/web-files.ts'
import { traceRequests } from './platform/tracing/trace-requests.ts'
import { metricsRoutes } from './features/metrics/metrics-routes.ts'
import { pictureRoutes } from './features/pictures/picture-routes.ts'
import { reviewRoutes } from './features/reviews/review-routes.ts'
import { ownerRoutes } from './features/ownership/owner-routes.ts'
import { ownFiguresRoutes } from './features/own-figures/own-figures-routes.ts'
import { royaltyRoutes } from './features/royalties/royalty-routes.ts'
import { limitToOwner } from './features/ownership/limit-to-owner.ts'
import { offlineRoutes } from './features/offline/offline-routes.ts'
import { evidenceRoutes } from './features/evidence/evidence-routes.ts'
import { exportRoutes } from './features/export/export-routes.ts'
import { importRoutes } from './features/imports/import-routes.ts'
import { adminReleaseRoutes } from './features/releases/admin-release-routes.ts'
import { releaseRoutes } from './features/releases/release-routes.ts'
import { adminPlaylistRoutes } from './features/playlists/admin-playlist-routes.ts'
import { playlistRoutes } from './features/playlists/playlist-routes.ts'
import { smartPlaylistRoutes } from './features/smart-playlists/smart-playlist-routes.ts'
import { sharedPlaylistRoutes } from './features/shared-playlists/shared-playlist-routes.ts'
import { similarRoutes } from './features/similar/similar-routes.ts'
import { keyRoutes } from './features/keys/key-routes.ts'
import { playingRoutes } from './features/playing/playing-routes.ts'
import { playRoutes } from './features/plays/play-routes.ts'
import { profileRoutes } from './features/profiles/profile-routes.ts'
import type { Services } from './services.ts'
import { storeOrigins } from './platform/config/s3-options.ts'
import { createLandingPage } from './features/site/landing-page.ts'
import { readPageAssets, type PageAssets } from './features/public-pages/page-assets.ts'
import { shareRoutes } from './features/public-pages/share-routes.ts'
import { createPageCounts } from './features/public-pages/page-counts.ts'
import { createPublicPages } from './features/public-pages/public-pages.ts'
import { newsRoutes } from './features/news/news-routes.ts'
import { legalRoutes } from './features/legal/legal-routes.ts'
import { feedRoutes } from './features/feeds/feed-routes.ts'
import { bounceRoutes } from './features/bounces/bounce-routes.ts'
import { announcementRoutes } from './features/announcements/announcement-routes.ts'
import { pushRoutes } from './features/push/push-operations.ts'
import { webhookRoutes } from './features/webhooks/webhook-routes.ts'
import { pressLinkRoutes } from './features/press-links/press-link-routes.ts'
import { embedRoutes } from './features/public-pages/embed-routes.ts'
import { publicPageRoutes } from './features/public-pages/public-page-routes.ts'
import { readCards } from './features/share-cards/share-cards.ts'
import { shareCardRoutes } from './features/share-cards/share-card-routes.ts'
import { sitemapRoutes } from './features/public-pages/sitemap.ts'
import { securityTxtRoutes } from './features/site/security-txt.ts'
import { demoRoutes } from './features/demo/demo-routes.ts'
import { setupRoutes } from './features/setup/setup-routes.ts'
import { siteRoutes } from './features/site/site-routes.ts'
import { overviewRoutes } from './features/overview/overview-routes.ts'
import { systemRoutes } from './features/system/system-routes.ts'
import { subsonicRoutes } from './features/subsonic/subsonic-routes.ts'
import {
  createTrackStreams,
  streamRoutes,
  type TrackStreams,
} from './features/streaming/stream-routes.ts'
import { featureSwitchRoutes } from './features/feature-switches/feature-switch-routes.ts'
import { supportRoutes } from './features/support/support-routes.ts'
import { spotRoutes } from './features/spots/spot-routes.ts'
import { trackRoutes } from './features/browse/track-routes.ts'
import { uploadRoutes } from './features/uploads/upload-routes.ts'

const megabyte = 1024 * 1024
/**
 * Long enough that a busy proxy sends a request on each of its connections and receives `Connection: close`. A
 * shutdown may take only seconds.
 */
const drainMs = 1_000

/** Builds the HTTP server of a worker process, which has only health checks and metrics. */
export async function createWorkerApp(
  services: Services,
  options: { log: FastifyBaseLogger },
): Promise<FastifyInstance> {
  const app = createServer(services, options.log)
  await registerMonitoring(app, services)
  return app
}

/** Builds the HTTP server with all routes, without listening yet. */
export async function createApp(
  services: Services,
  options: { log: FastifyBaseLogger; webFolder: string | null; strictOutput?: boolean },
): Promise<FastifyInstance> {
  const { config } = services
  const app = createServer(services, options.log)
  // Runs before streams are cut. In this time most requests complete on their own, and browsers retry the others.
  if (config.trustProxy) drainConnections(app, drainMs)
  refuseForeignOrigins(app, config)
  if (services.replica) {
    const { replica } = services
    trackOwnWrites(app, { replica, isHttps: config.publicUrl.startsWith('https:') })
  }
  const endpoints = collectEndpoints(app)
  limitAnonymousTraffic(app, {
    db: services.db,
    isSignedIn: services.auth.isSignedIn,
  })
  await services.auth.register(app)
  await registerMonitoring(app, services)

  const routeServices = createRouteServices(services, options.strictOutput ?? false)
  const routeIn = (scope: FastifyInstance) => createRoute(scope, routeServices)
  const route = routeIn(app)
  siteRoutes(route, services)
  setupRoutes(route, services)
  demoRoutes(route, services)
  securityTxtRoutes(app, services)
  profileRoutes(route, services)
  keyRoutes(route, services)
  trackRoutes(route, services)
  playRoutes(route, services)
  similarRoutes(route)
  homeRoutes(route, services)
  playingRoutes(route, services)
  const streams = createTrackStreams({ ...services, findActor: services.callers.findActor })
  streamRoutes(route, streams, services)
  planRoutes(route, services)
  const callOperation = createCallOperation(app, routeServices)
  await subsonicRoutes(app, { ...services, streams, callOperation, rules: routeServices })
  offlineRoutes(route, app, services)
  categoryRoutes(route, services)
  playlistRoutes(route, services)
  sharedPlaylistRoutes(route)
  smartPlaylistRoutes(route)
  releaseRoutes(route)
  creatorRoutes(route, services)
  uploadRoutes(route, app, services)
  catalogueRoutes(route, services)
  settingsRoutes(route, services)
  mailSetupRoutes(route, services)
  bounceRoutes(route, services)
  figureMailRoutes(route, services)
  brandingRoutes(route, app, services)
  auditRoutes(route)
  insightRoutes(route)
  overviewRoutes(route, services)
  webhookRoutes(route, services)
  pushRoutes(route, services)
  announcementRoutes(route, services)
  systemRoutes(route, services)
  userRoutes(route, services)
  invitationRoutes(route, services)
  await sellingRoutes(app, routeIn, services)
  await apiDocsRoutes(route, app, {
    config,
    brandName: () => services.branding().brand_name,
    endpoints,
  })
  liveEventRoutes(route, app, { ...services, findActor: services.callers.findActor })
  pictureRoutes(app, services)
  const assets = await readPageAssets(options.webFolder)
  await publishPages(app, route, { ...services, streams }, assets)
  // Without this, a stream would keep the server from closing until the song is sent completely.
  app.addHook('preClose', () => services.files.cut())
  if (options.webFolder) await serveWebApp(app, services, options.webFolder)
  return app
}

/** Routes of the back office for managing the music. */
function catalogueRoutes(route: Route, services: Services): void {
  adminTrackRoutes(route, services)
  adminCategoryRoutes(route, services)
  genreRoutes(route, services)
  artistRoutes(route, services)
  pressLinkRoutes(route, services)
  adminPlaylistRoutes(route, services)
  evidenceRoutes(route, services)
  adminReleaseRoutes(route, services)
  exportRoutes(route, services)
  importRoutes(route, services)
}

/** Routes of plans, payments and Stripe's events. */
async function sellingRoutes(
  app: FastifyInstance,
  routeIn: (scope: FastifyInstance) => Route,
  services: Services,
): Promise<void> {
  const route = routeIn(app)
  billingRoutes(route, services)
  membershipRoutes(route, services)
  refundRoutes(route, services)
  promotionRoutes(route, services)
  priceRoutes(route, services)
  stripeConnectionRoutes(route, services)
  receiptRoutes(route, services)
  giftRoutes(route, services)
  referralRoutes(route, services)
  await billingEventRoutes(app, routeIn, services)
}

/** Registers the pages other than the landing page that anyone may read without an account. */
async function publishPages(
  app: FastifyInstance,
  route: Route,
  services: Services & { streams: TrackStreams },
  assets: PageAssets,
): Promise<void> {
  const pages = createPublicPages(services, assets, (facts) => readCards(services, facts))
  const counts = createPageCounts(services.db, services.log)
  publicPageRoutes(app, services, pages, counts)
  shareRoutes(route, counts)
  shareCardRoutes(app, services)
  embedRoutes(app, services, pages)
  sitemapRoutes(app, services)
  legalRoutes(app, route, services, pages)
  await newsRoutes(app, route, services, pages.frame)
  feedRoutes(app, services)
}

function creatorRoutes(route: Route, services: Services): void {
  reviewRoutes(route, services)
  ownerRoutes(route)
  ownFiguresRoutes(route)
  royaltyRoutes(route)
}

/** Routes of plan features other than playing music. */
function planRoutes(route: Route, services: Services): void {
  spotRoutes(route, services)
  supportRoutes(route, services)
  featureSwitchRoutes(route)
}

function createRouteServices(services: Services, strictOutput: boolean): RouteServices {
  return {
    db: services.db,
    secretBox: services.secretBox,
    replica: services.replica,
    now: services.now,
    findActor: services.callers.identify,
    isMaintenance: () => services.settings.current().maintenance_mode,
    adminsNeedTwoFactor: () => services.settings.current().admins_need_two_factor,
    isConfirmed: services.auth.isConfirmed,
    limitToOwner,
    catchUp: services.bus.catchUp,
    strictOutput,
  }
}

async function serveWebApp(app: FastifyInstance, services: Services, folder: string) {
  const { publicUrl } = services.config
  const ownerOf = perObject(({ brand_name, tagline, accent, icon_id }: Branding) => ({
    brandName: brand_name,
    tagline,
    publicUrl,
    accent,
    icons: getIcons(icon_id),
  }))
  const owner = () => ownerOf(services.branding())
  const landing = await createLandingPage(services, {
    folder: join(folder, '.landing'),
    owner,
    log: app.log,
  })
  await serveWebFiles(app, {
    folder,
    owner,
    db: services.db,
    // The rendered landing page contains data of the service. While the demo is being generated, only requests from
    // this machine get it.
    readLanding: async (request) =>
      services.demoProgress() === null || isLocalRequest(request)
        ? landing.read({ isVisitor: !services.auth.hasSignedCookie(request) })
        : null,
  })
}

function createServer({ config }: Services, log: FastifyBaseLogger): FastifyInstance {
  const headers = buildSecurityHeaders({
    isHttps: config.publicUrl.startsWith('https:'),
    uploadsTo: config.s3 && config.s3Upload === 'direct' ? storeOrigins(config.s3) : [],
    loadsFrom: listAudioOrigins(config),
  })
  const app = Fastify({
    loggerInstance: log,
    trustProxy: config.trustProxy,
    bodyLimit: megabyte,
    clientErrorHandler: handleMalformedRequest(headers),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // A large upload over a slow connection takes long, but headers that arrive slowly are an attack.
    requestTimeout: 3_600_000,
    // Without this option, Node itself responds to requests without a Host header, without a body and without our
    // headers.
    http: { headersTimeout: 20_000, requireHostHeader: false },
    // A URL that cannot be decoded gets 404.
    frameworkErrors: (_error, _request, reply) =>
      void sendError(reply.headers(headers), new AppError('not_found')),
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // During shutdown, requests on open connections are still served. New connections are refused, so they go to
    // other instances.
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength },
    rewriteUrl: rewriteVersionedPath,
  })
  // Forms on other sites can send this type, and no operation accepts it.
  app.removeContentTypeParser('text/plain')
  sendSecurityHeaders(app, headers)
  handleErrors(app)
  refuseAmbiguousHosts(app)
  refuseUnknownHosts(app, config)
  endUnfinishedBodies(app)
  refuseDisallowedMethods(app)
  logRequests(app)
  return app
}

/** Returns the origins to which listeners are redirected for audio. */
function listAudioOrigins({ cdn, s3, s3Delivery }: Config): string[] {
  if (cdn) return [new URL(cdn.url).origin]
  return s3 && s3Delivery === 'redirect' ? storeOrigins(s3) : []
}

/** Metrics need time for each request and some memory, so they are collected only if METRICS_TOKEN is set. */
async function registerMonitoring(app: FastifyInstance, services: Services): Promise<void> {
  traceRequests(app, services.tracer)
  healthRoutes(app, services)
  const { metricsToken } = services.config
  if (metricsToken === null) {
    // Without this route, the page of the web app would be returned, which Prometheus cannot parse.
    app.get('/metrics', () => Promise.reject(new AppError('not_found')))
    return
  }
  const { createMetrics } = await import('./features/metrics/metrics.ts')
  metricsRoutes(app, { metrics: createMetrics(app, services), token: metricsToken })
}

/** Logs one line per completed request. Omits the query, because it may contain tokens. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const line = {
      method: request.method,
      path: request.url.split('?')[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    // The cause of a 503 is already logged. Maintenance is not an error.
    if (reply.statusCode >= 500 && reply.statusCode !== 503) request.log.error(line, 'request')
    else request.log.debug(line, 'request')
  })
}
