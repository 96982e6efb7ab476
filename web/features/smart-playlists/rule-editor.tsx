// Groups of rule rows, each with field, operator and value.
import { maxRuleGroups, maxRulesPerGroup, type SmartRule } from '#contract/fields/smart-rules.ts'
import { IconPlus, IconX } from '#web/base/ui/icons/icons.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import styles from './rule-editor.module.css'
import {
  fieldChoices,
  getField,
  newRule,
  operatorChoices,
  getOperator,
  withOperator,
  type RuleField,
} from './rule-fields.ts'
import { RuleValue } from './rule-value.tsx'
import { draftGroup, draftRule, type GroupDraft, type RulesDraft } from './rules-draft.ts'

const matchChoices = [
  { value: 'all', label: 'Match all of these' },
  { value: 'any', label: 'Match any of these' },
]
const groupChoices = [
  { value: 'all', label: 'Match all groups' },
  { value: 'any', label: 'Match any group' },
]

export interface RuleEditorProps {
  draft: RulesDraft
  onChange: (draft: RulesDraft) => void
}

export function RuleEditor({ draft, onChange }: RuleEditorProps) {
  const { groups } = draft
  const setGroups = (next: readonly GroupDraft[]) => onChange({ ...draft, groups: next })
  return (
    <div className={styles.groups}>
      {groups.length > 1 && (
        <Select
          label="Groups"
          options={groupChoices}
          value={draft.match}
          onChange={({ target }) =>
            onChange({ ...draft, match: target.value === 'any' ? 'any' : 'all' })
          }
        />
      )}
      {groups.map((group, at) => (
        <RuleGroup
          key={group.key}
          group={group}
          name={groups.length > 1 ? `Group ${at + 1}` : 'Rules'}
          onChange={(next) => setGroups(groups.with(at, next))}
          onRemove={groups.length > 1 ? () => setGroups(groups.toSpliced(at, 1)) : undefined}
        />
      ))}
      {groups.length < maxRuleGroups && (
        <Button
          size="small"
          variant="quiet"
          icon={<IconPlus />}
          onClick={() => setGroups([...groups, draftGroup()])}
        >
          Add a group
        </Button>
      )}
    </div>
  )
}

interface RuleGroupProps {
  group: GroupDraft
  name: string
  onChange: (group: GroupDraft) => void
  onRemove: (() => void) | undefined
}

function RuleGroup({ group, name, onChange, onRemove }: RuleGroupProps) {
  const { rules } = group
  const setRules = (next: GroupDraft['rules']) => onChange({ ...group, rules: next })
  const setRule = (at: number, rule: SmartRule) =>
    setRules(rules.map((row, index) => (index === at ? { ...row, rule } : row)))
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{name}</legend>
      {rules.length > 1 && (
        <Select
          label={`Match mode of ${name}`}
          hideLabel
          options={matchChoices}
          value={group.match}
          onChange={({ target }) =>
            onChange({ ...group, match: target.value === 'any' ? 'any' : 'all' })
          }
        />
      )}
      {rules.map(({ key, rule }, at) => (
        <RuleRow
          key={key}
          rule={rule}
          name={`${name}, rule ${at + 1}`}
          onChange={(next) => setRule(at, next)}
          onRemove={rules.length > 1 ? () => setRules(rules.toSpliced(at, 1)) : onRemove}
        />
      ))}
      {rules.length < maxRulesPerGroup && (
        <Button size="small" icon={<IconPlus />} onClick={() => setRules([...rules, draftRule()])}>
          Add a rule
        </Button>
      )}
    </fieldset>
  )
}

interface RuleRowProps {
  rule: SmartRule
  name: string
  onChange: (rule: SmartRule) => void
  onRemove: (() => void) | undefined
}

function RuleRow({ rule, name, onChange, onRemove }: RuleRowProps) {
  const operators = operatorChoices(rule)
  return (
    <div className={styles.row} role="group" aria-label={name}>
      <Select
        label={`Field of ${name}`}
        hideLabel
        options={fieldChoices}
        value={getField(rule)}
        onChange={({ target }) => onChange(newRule(target.value as RuleField))}
      />
      {operators.length > 0 && (
        <Select
          label={`Operator of ${name}`}
          hideLabel
          options={operators}
          value={getOperator(rule)}
          onChange={({ target }) =>
            onChange(withOperator(rule, target.value, new Date().toISOString().slice(0, 10)))
          }
        />
      )}
      <div className={styles.value}>
        <RuleValue rule={rule} label={`Value of ${name}`} onChange={onChange} />
      </div>
      <IconButton label={`Remove ${name}`} disabled={!onRemove} onClick={() => onRemove?.()}>
        <IconX />
      </IconButton>
    </div>
  )
}
