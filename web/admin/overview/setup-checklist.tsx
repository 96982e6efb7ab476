// The setup steps of a new service. The server reports which are completed. Each step links to its screen or setting.
import { IconCheck } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import type { OverviewSetup, SetupStep } from '#contract/admin/admin-overview.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { formatDay } from '../shared/format/format-moment.ts'
import { countOpenSteps } from './overview-queries.ts'
import styles from './overview-screen.module.css'
import layout from '../../base/ui/layout/layout.module.css'

export interface SetupChecklistProps {
  setup: OverviewSetup
  onHide: () => void
}

export function SetupChecklist({ setup, onHide }: SetupChecklistProps) {
  const total = setup.steps.length
  const done = total - countOpenSteps(setup)
  const isComplete = done === total
  return (
    <Card
      title={isComplete ? 'Your service is set up' : 'Set up your service'}
      description={`${done} of ${total} done`}
      flush
      actions={
        <Button variant={isComplete ? 'secondary' : 'quiet'} size="small" onClick={onHide}>
          Hide Checklist
        </Button>
      }
    >
      <div className={styles.progress}>
        <ProgressBar label="Set up" value={done / total} />
      </div>
      <ol className={styles.steps}>
        {setup.steps.map(({ step, is_done, current }) => (
          <Step key={step} step={step} isDone={is_done} current={current} />
        ))}
      </ol>
    </Card>
  )
}

interface StepTexts {
  title: string
  /** Renders the text of a completed step. `current` is the value of its setting. */
  done: (current: string | null) => ReactNode
  todo: (current: string | null) => ReactNode
  link?: { to: string; label: string }
}

const nextPage: Record<string, string> = {
  terms: 'Terms of Service',
  privacy: 'Privacy Policy',
  contact: 'Contact',
}

const stepTexts: Record<SetupStep, StepTexts> = {
  brand: {
    title: 'Choose a name',
    done: (current) => `Your service is called ${current}.`,
    todo: () => 'Name, logo, color and texts, with a preview before anyone sees them.',
    link: { to: '/admin/settings?tab=appearance', label: 'Appearance' },
  },
  first_upload: {
    title: 'Upload your music',
    done: () => 'Your library contains your own music.',
    todo: () => 'Drop files or folders. Each file becomes a draft that you can listen to first.',
    link: { to: '/admin/library/upload', label: 'Upload' },
  },
  publish: {
    title: 'Publish your music',
    done: () => 'Listeners can hear your music.',
    todo: () => 'Members cannot see drafts. Publish a track or a release to make it available.',
    link: { to: '/admin/library?published=false', label: 'Drafts' },
  },
  prices: {
    title: 'Set your prices',
    done: () => 'Saved in System Settings.',
    todo: () => 'A monthly and a yearly price, in your currency.',
    link: { to: '/admin/settings?tab=stripe', label: 'Set Prices' },
  },
  legal: {
    title: 'Publish your legal pages',
    done: () => 'Terms, privacy and contact are in the footer.',
    todo: (current) =>
      `${nextPage[current ?? ''] ?? 'A page'} is missing. The template shows what to fill in.`,
    link: { to: '/admin/settings?tab=legal', label: 'Legal Pages' },
  },
  stripe: {
    title: 'Accept card payments',
    done: () => 'Stripe is connected, and its webhook is verified.',
    todo: (current) =>
      current === 'webhook'
        ? 'Connect the Stripe webhook so that payments activate Premium.'
        : 'Paste the key of your Stripe account. Prices and webhook are then created for you.',
    link: { to: '/admin/settings?tab=stripe', label: 'Stripe' },
  },
  mail: {
    title: 'Send email',
    done: (current) => `Email is sent as ${current}.`,
    todo: () => (
      <>
        Enter your mail server. Until then, emails are written to a folder, and their links are
        printed in the server log.
      </>
    ),
    link: { to: '/admin/settings?tab=mail', label: 'Set Up Email' },
  },
  backup: {
    title: 'Make a backup',
    done: (current) => `The last backup was made on ${current ? formatDay(current) : ''}.`,
    todo: () => (
      <>
        Run <code>npm run backup</code> on the server. It saves music and database without stopping
        the service.
      </>
    ),
  },
  public_address: {
    title: 'Set a public address',
    done: (current) => `Your service is available at ${current}.`,
    todo: (current) => (
      <>
        Your service is only available at {current}. Set <code>PUBLIC_URL</code> to its public
        address, and set <code>HOST</code> or use a reverse proxy.
      </>
    ),
  },
}

interface StepProps {
  step: SetupStep
  isDone: boolean
  current: string | null
}

function Step({ step, isDone, current }: StepProps) {
  const { title, done, todo, link } = stepTexts[step]
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      <span className={styles.tick} role="img" aria-label={isDone ? 'Done' : 'To do'}>
        {isDone && <IconCheck />}
      </span>
      <span className={layout.grow}>
        <span className={styles.itemTitle}>{title}</span>
        <span className={styles.itemNote}>{isDone ? done(current) : todo(current)}</span>
      </span>
      {!isDone && link && (
        <ButtonLink to={link.to} size="small">
          {link.label}
        </ButtonLink>
      )}
    </li>
  )
}
