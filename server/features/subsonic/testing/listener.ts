// Helpers for tests: a person with a device key, and calls to the Subsonic API with that key.
import { expect } from 'vitest'
import { createDeviceKey } from '#contract/device-keys.ts'
import type { Tier } from '#contract/plans.ts'
import type { Person, TestApp } from '../../../testing/test-app.ts'
import { responseSchemas } from './response-schemas.ts'

export interface Listener extends Person {
  keyId: string
  key: string
}
export type Parameters = Record<string, string | string[]>
// oxlint-disable-next-line typescript/no-explicit-any -- each answer is checked against its schema
export type Answer = Record<string, any> & {
  status: string
  error?: { code: number; helpUrl?: string }
}

export async function makeListener(app: TestApp, tier: Tier): Promise<Listener> {
  const person = await app.makePerson({ tier })
  return { ...person, ...(await makeKey(person)) }
}

/** Creates a device key for another app of the person. */
export async function makeKey(person: Person): Promise<Pick<Listener, 'keyId' | 'key'>> {
  const { body } = await person.call(createDeviceKey, { body: { name: 'Phone' } })
  return { keyId: body.data.id, key: body.data.key }
}

export function encode(parameters: Parameters): string {
  const encoded = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) encoded.append(name, one)
  }
  return encoded.toString()
}

export const requestOf = ({ url }: Pick<TestApp, 'url'>, name: string, parameters: Parameters) =>
  `${url}/rest/${name}?${encode({ v: '1.16.1', c: 'Test', ...parameters })}`

/** Makes a call and returns the JSON response, validated with our response schema. */
export async function requestAs(
  app: Pick<TestApp, 'url'>,
  { key }: Pick<Listener, 'key'>,
  name: string,
  parameters: Parameters = {},
): Promise<Answer> {
  const response = await fetch(requestOf(app, name, { apiKey: key, f: 'json', ...parameters }))
  expect(response.status).toBe(200)
  const { 'subsonic-response': answer } = (await response.json()) as Record<string, Answer>
  const schema = answer!.status === 'ok' ? responseSchemas[name] : responseSchemas.failed
  if (schema) expect(schema.safeParse(answer).error).toBeUndefined()
  return answer!
}
