// The web app needs only the method and path of an endpoint, because the server does the validation. This plugin
// removes the schemas from the bundle, and with them most of the schema library. It cuts out the other properties of
// endpoints, and moves other constants into functions marked as pure, so that the bundler drops unused ones.
import type { Plugin } from 'vite'

const kept = new Set(['method', 'path'])

interface Node {
  type: string
  start: number
  end: number
}
interface Property extends Node {
  key?: { name?: string }
}
interface Call extends Node {
  callee: Node & { name?: string }
  arguments: (Node & { properties?: Property[] })[]
}

export function leaveSchemasOut(): Plugin {
  return {
    name: 'leave-schemas-out',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/(?:[a-z]+\/)*[a-z-]+\.ts$/ },
      handler(code) {
        const program = this.parse(code)
        const cuts = findCalls(program, isEndpoint).flatMap(({ arguments: [description] }) =>
          (description?.properties ?? []).filter(({ key }) => !kept.has(key?.name ?? '')),
        )
        const edits = cuts.map(({ start, end }) => ({ start, end, text: '' }))
        for (const { start, end } of findSchemas(program)) {
          edits.push({ start, end: start, text: '/* @__PURE__ */ (() => (' })
          edits.push({ start: end, end, text: '))()' })
        }
        let rest = code
        for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start)) {
          const after = rest.slice(end)
          rest = rest.slice(0, start) + text + (text ? after : after.replace(/^\s*,/, ''))
        }
        return { code: rest, map: null }
      },
    },
  }
}

const isEndpoint = (call: Call) => call.callee.name === 'endpoint'

/** Finds matching calls that are not inside a function, including those in the arguments of another call. */
function findCalls(program: unknown, isWanted: (call: Call) => boolean): Call[] {
  const found: Call[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    if (/Function/.test((node as Node).type)) return
    const call = node as Call
    if (call.type === 'CallExpression' && isWanted(call)) found.push(call)
    for (const part of Object.values(node)) visit(part)
  }
  visit(program)
  return found
}

/** Returns the initial values of module-level constants that contain calls, except endpoints. */
function findSchemas(program: { body: Node[] }): Node[] {
  return program.body
    .map((statement) => (statement as { declaration?: Node | null }).declaration ?? statement)
    .flatMap(
      (statement) => (statement as { declarations?: { init: Node | null }[] }).declarations ?? [],
    )
    .flatMap(({ init }) => init ?? [])
    .filter((init) => {
      const calls = findCalls(init, () => true)
      return calls.length > 0 && !calls.some(isEndpoint)
    })
}
