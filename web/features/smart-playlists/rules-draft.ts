// The rules while they are edited: rows have keys, and values may be missing.
import type { SmartRule, SmartRules } from '#contract/fields/smart-rules.ts'
import { isComplete, newRule } from './rule-fields.ts'

export interface RuleDraft {
  key: number
  rule: SmartRule
}
export interface GroupDraft {
  key: number
  match: 'all' | 'any'
  rules: readonly RuleDraft[]
}
export interface RulesDraft extends Pick<SmartRules, 'match' | 'order' | 'limit'> {
  groups: readonly GroupDraft[]
}

let lastKey = 0
const nextKey = () => ++lastKey

export const draftRule = (rule: SmartRule = newRule('genre')): RuleDraft => ({
  key: nextKey(),
  rule,
})

export const draftGroup = (rules: readonly SmartRule[] = [newRule('genre')]): GroupDraft => ({
  key: nextKey(),
  match: 'all',
  rules: rules.map(draftRule),
})

export function toRulesDraft({ match, groups, order, limit }: SmartRules): RulesDraft {
  return {
    match,
    order,
    limit,
    groups: groups.map((group) => ({ ...draftGroup(group.rules), match: group.match })),
  }
}

/** Converts the rows to rules. Omits rows that have no value. Returns null if no row is left. */
export function completeRules({ match, groups, order, limit }: RulesDraft): SmartRules | null {
  const complete = groups
    .map((group) => ({
      match: group.match,
      rules: group.rules.map(({ rule }) => rule).filter(isComplete),
    }))
    .filter(({ rules }) => rules.length > 0)
  return complete.length > 0 && limit >= 1 ? { match, groups: complete, order, limit } : null
}

export interface Template {
  title: string
  rules: SmartRules
}

const template = (
  title: string,
  rules: SmartRule[],
  order: SmartRules['order'],
  limit = 100,
): Template => ({ title, rules: { match: 'all', groups: [{ match: 'all', rules }], order, limit } })

export const templates: readonly Template[] = [
  template(
    'Liked, not played for 30 days',
    [
      { kind: 'liked', value: true },
      { kind: 'days', field: 'heard', operator: 'not_in_last', value: 30 },
    ],
    'heard_longest_ago',
  ),
  template(
    'New this month',
    [{ kind: 'days', field: 'added', operator: 'in_last', value: 30 }],
    'newest',
  ),
  template(
    'My most played',
    [{ kind: 'number', field: 'plays', operator: 'at_least', value: 1 }],
    'most_played',
    50,
  ),
  template(
    'Never played',
    [{ kind: 'number', field: 'plays', operator: 'at_most', value: 0 }],
    'random',
    50,
  ),
  template(
    'Slow songs',
    [{ kind: 'number', field: 'bpm', operator: 'at_most', value: 90 }],
    'random',
  ),
]
