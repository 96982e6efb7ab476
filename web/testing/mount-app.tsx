// Mounts the whole app at an address, with the answers that the network gives. Only the network is
// stood in for: router, cache, session and screens are the real ones.
import './browser-gaps.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { vi } from 'vitest'
import type { Profile } from '#contract/profiles.ts'
import { createQueryClient } from '../app/query-client.ts'
import { createRoutes } from '../app/routes.tsx'

// The first visit to a screen compiles its code, which takes long on a busy machine. A wait that succeeds ends at once.
configure({ asyncUtilTimeout: 30_000 })

interface Request {
  /** `POST /api/auth/sign-in/email` */
  operation: string
  query: Record<string, string>
  body: unknown
}

/** Answers by operation: a JSON value, or a function of the request that gives one or a Response, now or later. */
export type Answers = Record<string, unknown>

/** A service with nothing special about it. */
export const site = {
  brand_name: 'Velour',
  tagline: 'Smooth sounds, made for your moments.',
  artist_name: 'Velour',
  contact_email: 'hello@velour.test',
  maintenance_mode: false,
  preview_length_seconds: 45,
  default_ai_disclosure: 'ai_generated',
  demo: null,
}

const roomyDisk = { host: 'velour', free_bytes: 5e10, total_bytes: 1e11, level: 'ok' }

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
  is_premium: false,
  two_factor_enabled: false,
  second_factor_required: false,
}

/** Opens the app. `requests` fills with what it asks the server; change `answers` to change its mind. */
export function mountApp(path: string, answers: Answers = {}, member: Profile | null = null) {
  const requests: Request[] = []
  const all: Answers = {
    'GET /api/site': site,
    'GET /api/profile': { data: member },
    'GET /api/showcase': { data: [] },
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

/** An error as the server words it. */
export function errorAnswer(status: number, code: string, message: string): () => Response {
  return () => Response.json({ error: { code, message } }, { status })
}

async function toResponse(answer: unknown, request: Request): Promise<Response> {
  const value: unknown = await (typeof answer === 'function' ? answer(request) : answer)
  if (value instanceof Response) return value
  return value === undefined ? new Response(null, { status: 204 }) : Response.json(value)
}
