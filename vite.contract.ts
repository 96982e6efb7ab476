// The web app only needs the method and path of an endpoint. Validation happens on the server, so this removes the
// schemas from the bundle, and with them most of the schema library.
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
  callee: { name?: string }
  arguments: (Node & { properties?: Property[] })[]
}

export function leaveSchemasOut(): Plugin {
  return {
    name: 'leave-schemas-out',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/(?:[a-z]+\/)*[a-z-]+\.ts$/ },
      handler(code) {
        const cuts = findCalls(this.parse(code)).flatMap(({ arguments: [description] }) =>
          (description?.properties ?? []).filter(({ key }) => !kept.has(key?.name ?? '')),
        )
        let rest = code
        for (const { start, end } of cuts.toSorted((a, b) => b.start - a.start)) {
          const after = rest.slice(end).replace(/^\s*,/, '')
          rest = rest.slice(0, start) + after
        }
        return { code: rest, map: null }
      },
    },
  }
}

/** Finds the calls of `endpoint(…)` at the top of a module. */
function findCalls(program: unknown): Call[] {
  const found: Call[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const call = node as Call
    if (call.type === 'CallExpression' && call.callee.name === 'endpoint') found.push(call)
    else for (const part of Object.values(node)) visit(part)
  }
  visit(program)
  return found
}
