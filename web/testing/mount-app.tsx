// Mounts the whole app at a URL with fake responses. Only the network is fake: router, cache, session and screens are
// real.
import './browser-gaps.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, vi } from 'vitest'
import { defaultLanding } from '#contract/fields/branding.ts'
import type { NewsPreferences } from '#contract/news.ts'
import { defaultCurrency, defaultPricing } from '#contract/plans.ts'
import type { StripeConnection } from '#contract/admin/money/admin-stripe.ts'
import type { getMembershipInsights } from '#contract/admin/money/membership-insights.ts'
import type { Output } from '#contract/endpoint.ts'
import type { Profile } from '#contract/profiles.ts'
import type { getOwnReferrals } from '#contract/referrals.ts'
import { createQueryClient } from '../app/query-client.ts'
import { createRoutes } from '../app/routes.tsx'
import { findResponseProblem, findRequestProblem } from './contract-check.ts'

// Use a long timeout: the first visit to a screen compiles its code, which takes long on a busy machine. A successful
// wait ends immediately.
configure({ asyncUtilTimeout: 30_000 })

/** Fake responses that violate the contract. They fail the test, because no server sends them. */
const invalidResponses: string[] = []
afterEach(() => {
  const problems = invalidResponses.splice(0)
  if (problems.length > 0) throw new Error(problems.join('\n'))
})

interface Request {
  /** Method and path, such as `POST /api/auth/sign-in/email`. */
  operation: string
  query: Record<string, string>
  body: unknown
}

/** Responses by operation: a JSON value, or a function of the request that returns one or a Response, or a promise. */
export type Answers = Record<string, unknown>

/** The Stripe settings before a key was entered. */
export const unconnectedStripe: StripeConnection = {
  key_source: 'none',
  is_key_lost: false,
  last4: '',
  is_live: false,
  account_name: null,
  account_id: null,
  missing_rights: [],
  set_at: null,
  in_use: { subscriptions: 0, tasks: 0 },
  webhook: {
    state: 'none',
    url: 'https://night.example/api/billing-webhook',
    is_reachable: true,
    failure: null,
    tried_at: null,
  },
}

/** A service with default settings. */
export const site = {
  brand_name: 'Velour',
  tagline: 'Smooth sounds, made for your moments.',
  artist_name: 'Velour',
  contact_email: 'hello@velour.test',
  accent: null,
  logo: null,
  icon_url: null,
  ...defaultLanding,
  legal_pages: [],
  consent_number: null,
  social_links: [],
  footer_links: [],
  has_owner: true,
  maintenance_mode: false,
  preview_length_seconds: 45,
  pricing: { ...defaultPricing, currency: defaultCurrency },
  default_ai_disclosure: 'ai_generated',
  default_audience: 'everyone',
  demo: null,
}

const roomyDisk = { host: 'velour', folder: '', free_bytes: 5e10, total_bytes: 1e11, level: 'ok' }
const emptyList = { data: [], next_cursor: null }

/** A member without Premium. */
export const freeMember: Profile = {
  id: '0191a0c0-0000-7000-8000-0000000000aa',
  email: 'ada@velour.test',
  email_verified: true,
  display_name: 'Ada',
  avatar_url: null,
  role: 'member',
  subscription_status: 'inactive',
  subscription_tier: 'free',
  subscription_ends_at: null,
  trial_ends_at: null,
  payment_problem: null,
  is_premium: false,
  two_factor_enabled: false,
  second_factor_required: false,
}

export const premiumMember: Profile = {
  ...freeMember,
  is_premium: true,
  subscription_status: 'active',
}

export const admin: Profile = { ...freeMember, role: 'admin' }

const noNews: NewsPreferences = {
  follows_everything: false,
  release_mail: 'off',
  announcements: false,
  mail_problem: null,
  followed_count: 0,
}

export const noReferrals: Output<typeof getOwnReferrals> = {
  months: 0,
  wait_days: 14,
  yearly_limit: 12,
  url: null,
  joined: 0,
  paid: 0,
  months_earned: 0,
  months_waiting: 0,
}

const noMembershipInsights: Output<typeof getMembershipInsights> = {
  months: [],
  reasons: [],
  offers_taken: [],
  offers_kept: [],
  referred: [],
  referred_paid: [],
  referred_rewarded: [],
}

/** Returns a response with the only page of a back-office list. */
export function onePage<Row>(data: readonly Row[]) {
  return { data, pagination: { page: 1, page_size: 50, total: data.length, total_pages: 1 } }
}

/**
 * Opens the app with the responses of an empty service. `requests` collects the requests of the app; change `answers`
 * to change later responses.
 */
export function mountApp(path: string, answers: Answers = {}, member: Profile | null = null) {
  const requests: Request[] = []
  const all: Answers = {
    'GET /api/site': site,
    'GET /api/profile': { data: member },
    'GET /api/showcase': { data: [] },
    'GET /api/home': { continue: [], new_releases: [], artists: [] },
    'GET /api/billing/plans': { data: [], trial_needs_card: true, is_purchase_live: false },
    'GET /api/billing/subscription': { data: null },
    'GET /api/billing/invoices': { data: [], has_more: false },
    'GET /api/admin-prices': {
      is_configured: false,
      currency: defaultCurrency,
      ...defaultPricing,
      made: null,
      change: null,
    },
    'GET /api/admin-stripe': unconnectedStripe,
    'GET /api/admin-billing/refunds': { data: [] },
    'GET /api/admin-billing/cancellations': { counts: [], recent: [] },
    'GET /api/categories': { data: [] },
    'GET /api/tracks': { ...emptyList, total: 0 },
    'GET /api/artists': emptyList,
    'GET /api/releases': emptyList,
    'GET /api/news-preferences': noNews,
    'GET /api/push/subscriptions': { data: [] },
    'GET /api/playlists': emptyList,
    'GET /api/plays/recent': { data: [] },
    'GET /api/mixes': { data: [] },
    'GET /api/features': { data: ['daily_mixes', 'song_path'] },
    'GET /api/referrals': noReferrals,
    'GET /api/admin-insights/membership': noMembershipInsights,
    'GET /api/support': { data: [] },
    'GET /api/admin-support': { ...onePage([]), open_count: 0 },
    'GET /api/spots/next': { data: null },
    'GET /api/admin-artists': onePage([]),
    'POST /api/admin-owners/find': { data: [] },
    'GET /api/admin-categories': { data: [] },
    'GET /api/admin-invitations': onePage([]),
    'GET /api/admin-genres': { data: [] },
    'GET /api/admin-system/disk': roomyDisk,
    ...answers,
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, 'http://velour.test')
    const query = Object.fromEntries(searchParams)
    const operation = `${init.method ?? 'GET'} ${pathname}`
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const request = { operation, query, body }
    requests.push(request)
    const problem = findRequestProblem(operation, body)
    if (problem) invalidResponses.push(problem)
    return toResponse(all[operation], request)
  })
  const router = createMemoryRouter(createRoutes(), { initialEntries: [path] })
  const user = userEvent.setup()
  const view = render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { ...view, user, router, requests, answers: all }
}

/** Returns an error response in the server's format. */
export function errorAnswer(status: number, code: string, message: string): () => Response {
  return () => Response.json({ error: { code, message } }, { status })
}

async function toResponse(answer: unknown, request: Request): Promise<Response> {
  const value: unknown = await (typeof answer === 'function' ? answer(request) : answer)
  if (value instanceof Response) return value
  const problem = findResponseProblem(request.operation, value)
  if (problem) invalidResponses.push(problem)
  return value === undefined ? new Response(null, { status: 204 }) : Response.json(value)
}
