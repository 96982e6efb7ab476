// The fields and operators of the rule editor, and their conversion to rules.
import type { SmartOrder, SmartRule } from '#contract/fields/smart-rules.ts'

type RuleOf<Kind extends SmartRule['kind']> = Extract<SmartRule, { kind: Kind }>
export type RuleField =
  | RuleOf<'text'>['field']
  | RuleOf<'number'>['field']
  | RuleOf<'days'>['field']
  | 'liked'
  | 'like_track'
  | 'like_artist'

export interface Choice<Value extends string = string> {
  value: Value
  label: string
}

export const fieldChoices: readonly Choice<RuleField>[] = [
  { value: 'title', label: 'Title' },
  { value: 'artist', label: 'Artist' },
  { value: 'genre', label: 'Genre' },
  { value: 'category', label: 'Category' },
  { value: 'mood', label: 'Mood' },
  { value: 'tag', label: 'Tag' },
  { value: 'release', label: 'Release' },
  { value: 'added', label: 'Date added' },
  { value: 'released', label: 'Release date' },
  { value: 'duration', label: 'Length' },
  { value: 'bpm', label: 'BPM' },
  { value: 'plays', label: 'My plays' },
  { value: 'heard', label: 'Last played' },
  { value: 'liked', label: 'Liked' },
  { value: 'like_track', label: 'Sounds like a track' },
  { value: 'like_artist', label: 'Sounds like an artist' },
]

const textChoices = [
  { value: 'is', label: 'is' },
  { value: 'is_not', label: 'is not' },
  { value: 'contains', label: 'contains' },
  { value: 'contains_not', label: 'does not contain' },
]
const numberChoices = [
  { value: 'at_least', label: 'is at least' },
  { value: 'at_most', label: 'is at most' },
]
const dateChoices = [
  { value: 'in_last', label: 'in the last' },
  { value: 'not_in_last', label: 'not in the last' },
  { value: 'since', label: 'on or after' },
  { value: 'before', label: 'before' },
]
const likedChoices = [
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
]

export function getField(rule: SmartRule): RuleField {
  if (rule.kind === 'liked') return 'liked'
  if (rule.kind === 'sounds_like') return rule.what === 'track' ? 'like_track' : 'like_artist'
  return rule.field
}

/** Returns the operators to choose from for a field. Empty if the field has only one. */
export function operatorChoices(rule: SmartRule): readonly Choice[] {
  switch (rule.kind) {
    case 'text':
      // Categories are chosen from a list.
      return rule.field === 'category' ? textChoices.slice(0, 2) : textChoices
    case 'number':
      return numberChoices
    case 'days':
    case 'day':
      return dateChoices
    case 'liked':
      return likedChoices
    case 'sounds_like':
      return []
  }
}

export function getOperator(rule: SmartRule): string {
  if (rule.kind === 'liked') return rule.value ? 'yes' : 'no'
  return rule.kind === 'sounds_like' ? '' : rule.operator
}

/** Returns a new rule for the field. Its value is empty if the user has to enter one. */
export function newRule(field: RuleField): SmartRule {
  switch (field) {
    case 'title':
    case 'artist':
    case 'release':
      return { kind: 'text', field, operator: 'contains', value: '' }
    case 'genre':
    case 'category':
    case 'mood':
    case 'tag':
      return { kind: 'text', field, operator: 'is', value: '' }
    case 'duration':
      return { kind: 'number', field, operator: 'at_most', value: 240 }
    case 'bpm':
      return { kind: 'number', field, operator: 'at_least', value: 100 }
    case 'plays':
      return { kind: 'number', field, operator: 'at_least', value: 1 }
    case 'added':
    case 'released':
      return { kind: 'days', field, operator: 'in_last', value: 30 }
    case 'heard':
      return { kind: 'days', field, operator: 'not_in_last', value: 30 }
    case 'liked':
      return { kind: 'liked', value: true }
    case 'like_track':
      return { kind: 'sounds_like', what: 'track', id: '', name: '' }
    case 'like_artist':
      return { kind: 'sounds_like', what: 'artist', id: '', name: '' }
  }
}

export function withOperator(rule: SmartRule, operator: string, today: string): SmartRule {
  if (rule.kind === 'liked') return { ...rule, value: operator === 'yes' }
  if (rule.kind === 'days' || rule.kind === 'day') {
    const { field } = rule
    if (operator === 'in_last' || operator === 'not_in_last') {
      return { kind: 'days', field, operator, value: rule.kind === 'days' ? rule.value : 30 }
    }
    const value = rule.kind === 'day' ? rule.value : today
    return { kind: 'day', field, operator: operator === 'before' ? 'before' : 'since', value }
  }
  return { ...rule, operator } as SmartRule
}

/** Returns whether the rule has a value and can be evaluated. */
export function isComplete(rule: SmartRule): boolean {
  switch (rule.kind) {
    case 'text':
      return rule.value.trim() !== ''
    case 'number':
      return Number.isFinite(rule.value) && rule.value >= 0 && rule.value <= 100_000
    case 'days':
      return Number.isInteger(rule.value) && rule.value >= 1 && rule.value <= 3650
    case 'day':
      return /^[12]\d{3}-\d\d-\d\d$/.test(rule.value)
    case 'liked':
      return true
    case 'sounds_like':
      return rule.id !== ''
  }
}

export const orderChoices: readonly Choice<SmartOrder>[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'title', label: 'Title' },
  { value: 'artist', label: 'Artist' },
  { value: 'most_played', label: 'Most played by me' },
  { value: 'least_played', label: 'Least played by me' },
  { value: 'heard_last', label: 'Most recently played' },
  { value: 'heard_longest_ago', label: 'Least recently played' },
  { value: 'liked_last', label: 'Most recently liked' },
  { value: 'shortest', label: 'Shortest first' },
  { value: 'longest', label: 'Longest first' },
  { value: 'random', label: 'Random, reshuffled daily' },
]
