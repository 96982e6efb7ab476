// Reads one setting from the environment, or throws a ConfigError that names it.
import { splitHosts } from './database-hosts.ts'
import { OperatorError } from './operator-error.ts'

export type Environment = Record<string, string | undefined>

/** Thrown for an invalid setting. The message alone is shown at the terminal. */
export class ConfigError extends OperatorError {}

export function text(env: Environment, name: string): string | null {
  const value = env[name]?.trim()
  return value ? value : null
}

export function integer(
  env: Environment,
  name: string,
  fallback: number,
  min: number,
  max: number,
) {
  const value = text(env, name)
  if (value === null) return fallback
  const number = Number(value)
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
  }
  return number
}

export function flag(env: Environment, name: string, fallback: boolean): boolean {
  const value = text(env, name)?.toLowerCase()
  if (value === undefined) return fallback
  if (['on', 'true', 'yes', '1'].includes(value)) return true
  if (['off', 'false', 'no', '0'].includes(value)) return false
  throw new ConfigError(`${name} must be "on" or "off", not "${value}".`)
}

export function url(env: Environment, name: string, protocols: string[]): string | null {
  const value = text(env, name)
  if (value === null) return null
  const parsed = URL.canParse(value) ? new URL(value) : null
  if (!parsed || !protocols.includes(parsed.protocol)) {
    throw new ConfigError(
      `${name} must be an address that starts with ${protocols.join(' or ')}//.`,
    )
  }
  return value
}

/** Reads a database URL. It may name several servers of one cluster: `postgres://…@one:5432,two:5432/name`. */
export function databaseAddress(env: Environment, name: string): string | null {
  const value = text(env, name)
  if (value === null) return null
  const isAddress = (): boolean => {
    try {
      return splitHosts(value).every(({ protocol }) => /^postgres(?:ql)?:$/.test(protocol))
    } catch {
      return false
    }
  }
  if (isAddress()) return value
  throw new ConfigError(`${name} must be an address that starts with postgres:// or postgresql://.`)
}

export function list(env: Environment, name: string): string[] | false {
  const value = text(env, name)
  if (value === null) return false
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

export function addresses(env: Environment, name: string): string[] | null {
  const found = list(env, name) || null
  if (found?.every((address) => /^[^@\s]+@[^@\s]+$/.test(address)) ?? true) return found
  throw new ConfigError(`${name} must be email addresses, separated by commas.`)
}

export function oneOf<const T extends string>(
  env: Environment,
  name: string,
  choices: readonly T[],
): T | null {
  const value = text(env, name)
  if (value === null) return null
  const found = choices.find((choice) => choice === value)
  if (!found) throw new ConfigError(`${name} must be one of ${choices.join(', ')}.`)
  return found
}
