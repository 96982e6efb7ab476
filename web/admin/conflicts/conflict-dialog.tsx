// Dialog for an edit conflict: shows for each conflicting field the user's value and the other person's, to choose one.
import { useId, useState } from 'react'
import { Button } from '../../base/ui/controls/button.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import styles from './conflict-dialog.module.css'
import {
  useConflictQuestion,
  type ConflictQuestion,
  type FieldConflict,
} from './conflict-question.ts'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function ConflictDialog() {
  const openQuestion = useConflictQuestion((state) => state.question)
  // Keeps the content unchanged while the dialog closes.
  const [question, setQuestion] = useState(openQuestion)
  if (openQuestion && openQuestion !== question) setQuestion(openQuestion)
  const formId = useId()
  const back = () => question?.answer(null)
  return (
    <Dialog
      open={openQuestion !== null}
      size="large"
      title={question ? formatTitle(question) : ''}
      description={`You both changed the same fields of ${question?.what ?? ''}. Choose which values to save.`}
      onClose={back}
      footer={
        <>
          <Button onClick={back}>Back to Form</Button>
          <Button variant="primary" type="submit" form={formId}>
            Save
          </Button>
        </>
      }
    >
      {question && <Choices key={question.fields.length} formId={formId} question={question} />}
    </Dialog>
  )
}

function Choices({ formId, question }: { formId: string; question: ConflictQuestion }) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  function choose(field: string, isTheirs: boolean) {
    const next = new Set(theirs)
    if (isTheirs) next.add(field)
    else next.delete(field)
    setTheirs(next)
  }
  return (
    <form
      id={formId}
      className={layout.stack5}
      onSubmit={(event) => {
        event.preventDefault()
        question.answer(theirs)
      }}
    >
      {question.fields.map((conflict) => (
        <Choice
          key={conflict.field}
          conflict={conflict}
          isTheirs={theirs.has(conflict.field)}
          onChoose={(isTheirs) => choose(conflict.field, isTheirs)}
        />
      ))}
    </form>
  )
}

interface ChoiceProps {
  conflict: FieldConflict
  isTheirs: boolean
  onChoose: (isTheirs: boolean) => void
}

function Choice({ conflict: { label, mine, theirs }, isTheirs, onChoose }: ChoiceProps) {
  const name = useId()
  const options = [
    { isTheirs: true, label: 'Use theirs', value: theirs },
    { isTheirs: false, label: 'Keep mine', value: mine },
  ]
  return (
    <fieldset className={styles.field}>
      <legend className={styles.label}>{label}</legend>
      {options.map((option) => (
        <label key={option.label} className={styles.option}>
          <input
            type="radio"
            className={styles.radio}
            name={name}
            checked={option.isTheirs === isTheirs}
            onChange={() => onChoose(option.isTheirs)}
          />
          <span className={textStyles.softSmall}>{option.label}</span>
          <span className={styles.value}>{option.value || 'Empty'}</span>
        </label>
      ))}
    </fieldset>
  )
}

function formatTitle({ changedBy, changedAt }: ConflictQuestion): string {
  return `Changed by ${changedBy ?? 'someone else'} ${changedAt ? formatAgo(changedAt) : ''}`.trim()
}

/** Formats the time since a timestamp: 'just now', '3 minutes ago', '2 hours ago', '5 days ago'. */
export function formatAgo(moment: string, now = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(moment)) / 60_000)
  if (minutes < 1) return 'just now'
  const formatter = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
  if (minutes < 60) return formatter.format(-minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 24
    ? formatter.format(-hours, 'hour')
    : formatter.format(-Math.floor(hours / 24), 'day')
}
