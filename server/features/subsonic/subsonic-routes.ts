// The OpenSubsonic API below /rest, with and without `.view`, by GET and by POST with a form. It reads no cookies, so
// pages of other origins may call it. Calls run the same code as the web app, which checks all rights.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admit, type AdmitRules } from '../../platform/http/admit.ts'
import type { Database } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { Callers } from '../keys/callers.ts'
import { openSubsonicExtensions } from './account.ts'
import { envelope, toJson, toXml, type Tree } from './response.ts'
import { subsonicEndpoints } from './endpoints.ts'
import { type Parameters, readParameters } from './parameters.ts'
import { createSignIn } from './sign-in.ts'
import type { SubsonicServices } from './subsonic-call.ts'
import { SubsonicError, translateError } from './subsonic-error.ts'

type RouteServices = SubsonicServices & {
  db: Database
  callers: Callers
  now: () => Date
  build: { version: string }
  rules: AdmitRules
}

/** Members of every plan and role may make all calls. */
const everyCall = { method: 'GET', path: '/rest/:name', access: 'member' } as const

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
  parameters: Parameters
}

export async function subsonicRoutes(app: FastifyInstance, services: RouteServices): Promise<void> {
  const signIn = createSignIn(services)
  const server = {
    type: services.config.brandName.toLowerCase(),
    serverVersion: services.build.version,
  }

  async function handleCall(
    { request, reply, parameters }: Exchange,
    name: string,
  ): Promise<unknown> {
    const send = (content: Tree | SubsonicError, isXml = false) =>
      sendResponse(reply, envelope(server, content), isXml ? readParameters('', '') : parameters)
    if (name === 'getOpenSubsonicExtensions') return send(openSubsonicExtensions)
    const endpoint = subsonicEndpoints.get(name)
    try {
      if (!endpoint) throw new SubsonicError('not_found', 'This call does not exist')
      if (endpoint.kind === 'refused') {
        reply.code(endpoint.status)
        throw new SubsonicError('generic', 'This server does not support this call')
      }
      const actor = await signIn(request, parameters)
      await admit(everyCall, actor, services.rules)
      const ctx: MemberContext = {
        db: services.db,
        actor,
        now: services.now,
        log: request.log,
        ip: request.ip,
      }
      const call = { ctx, parameters, services, request, reply }
      if (endpoint.kind === 'sends') return await endpoint.run(call)
      return send(await endpoint.run(call))
    } catch (error) {
      // For range and conditional requests, respond with the usual HTTP errors.
      if (endpoint?.kind === 'sends' && isHttpCondition(error)) throw error
      const known = translateError(error, services.config.publicUrl)
      if (!known) throw error
      return send(known, endpoint?.kind === 'sends')
    }
  }

  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, body),
    )
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        // The URL may contain the device key, so keep it out of Referer headers.
        'referrer-policy': 'no-referrer',
      })
      done()
    })
    scope.route<{ Params: { name: string } }>({
      method: ['GET', 'POST'],
      url: '/rest/:name',
      handler: (request, reply) => {
        const name = request.params.name.replace(/\.view$/, '')
        const form = typeof request.body === 'string' ? request.body : ''
        const parameters = readParameters(request.url.split('?')[1] ?? '', form)
        return handleCall({ request, reply, parameters }, name)
      },
    })
  })
}

function isHttpCondition(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'range_not_satisfiable' || code === 'precondition_failed'
}

/** Allows only names as a JSONP callback, so that the parameter cannot contain other code. */
const callbackName = /^[A-Za-z_$][\w$.]{0,99}$/

function sendResponse(reply: FastifyReply, tree: Tree, parameters: Parameters): FastifyReply {
  const format = parameters.text('f')
  const callback = parameters.text('callback') ?? ''
  reply.header('cache-control', 'no-store')
  if (format === 'jsonp' && callbackName.test(callback)) {
    return reply
      .type('text/javascript; charset=utf-8')
      .send(`/**/${callback}(${escapeScript(toJson(tree))});`)
  }
  if (format === 'json' || format === 'jsonp') {
    return reply.type('application/json; charset=utf-8').send(toJson(tree))
  }
  return reply.type('text/xml; charset=utf-8').send(toXml(tree))
}

/** Escapes line terminators, which older JavaScript engines do not allow in strings. */
function escapeScript(json: string): string {
  return json.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`)
}
