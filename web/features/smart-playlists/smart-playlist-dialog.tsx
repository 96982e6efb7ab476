// Creates a smart playlist or edits its rules: rows of rules, sort order, limit, and a preview of the matching tracks.
import { useId, useRef, useState, type SubmitEvent } from 'react'
import { freeLimits } from '#contract/plans.ts'
import { maxSmartTracks, type SmartOrder, type SmartRules } from '#contract/fields/smart-rules.ts'
import { playlistTitleMaxLength, type Playlist } from '#contract/playlists.ts'
import { showError } from '../../base/api/show-error.ts'
import { useSession } from '../../base/session/session.ts'
import { useCreatePlaylist, useUpdatePlaylist } from '../catalogue/queries/playlist-queries.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { RuleEditor } from './rule-editor.tsx'
import { orderChoices } from './rule-fields.ts'
import { completeRules, toRulesDraft, templates, type RulesDraft } from './rules-draft.ts'
import styles from './smart-playlist-dialog.module.css'
import { SmartPreview } from './smart-preview.tsx'

export interface SmartPlaylistDialogProps {
  open: boolean
  /** The playlist to edit. If absent, a new one is created. */
  playlist?: Playlist
  onClose: () => void
  onSaved: (playlist: Playlist) => void
}

export function SmartPlaylistDialog(props: SmartPlaylistDialogProps) {
  const { open, playlist, onClose } = props
  const formId = useId()
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="large"
      title={playlist ? 'Edit Rules' : 'New Smart Playlist'}
      description="Tracks that match the rules are added automatically."
      footer={
        <FormButtons
          form={formId}
          label={playlist ? 'Save Rules' : 'Create Playlist'}
          busy={busy}
          onCancel={onClose}
        />
      }
    >
      <SmartForm {...props} formId={formId} onBusy={setBusy} />
    </Dialog>
  )
}

/** The form of the dialog. Mounted each time the dialog opens, so that it starts with new state. */
function SmartForm(
  props: SmartPlaylistDialogProps & { formId: string; onBusy: (busy: boolean) => void },
) {
  const { playlist, formId, onBusy, onSaved } = props
  const { user } = useSession()
  const mostTracks = user?.is_premium ? maxSmartTracks : freeLimits.tracks_per_playlist
  const withinPlan = (rules: SmartRules) => ({ ...rules, limit: Math.min(rules.limit, mostTracks) })
  const [title, setTitle] = useState(playlist?.title ?? '')
  const [draft, setDraft] = useState<RulesDraft>(() =>
    toRulesDraft(playlist?.rules ?? withinPlan(templates[0]!.rules)),
  )
  const [problem, setProblem] = useState<'title' | 'rules'>()
  const titleField = useRef<HTMLInputElement>(null)
  const save = useSaveSmart(playlist)
  const rules = completeRules(draft)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const missing = title.trim() === '' ? 'title' : rules ? undefined : 'rules'
    setProblem(missing)
    if (missing === 'title') titleField.current?.focus()
    if (missing || !rules) return
    onBusy(true)
    try {
      onSaved(await save(title, rules))
    } catch (error) {
      showError(error)
    } finally {
      onBusy(false)
    }
  }

  return (
    <form id={formId} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      {!playlist && (
        <Templates
          onChoose={(template) => {
            setDraft(toRulesDraft(withinPlan(template.rules)))
            if (title.trim() === '' || templates.some((one) => one.title === title)) {
              setTitle(template.title)
            }
          }}
        />
      )}
      <TextField
        ref={titleField}
        label="Title"
        data-autofocus
        maxLength={playlistTitleMaxLength}
        value={title}
        error={problem === 'title' ? 'Title is required' : undefined}
        onChange={({ target }) => setTitle(target.value)}
      />
      <RuleEditor draft={draft} onChange={setDraft} />
      {problem === 'rules' && !rules && (
        <p role="alert" className={styles.problem}>
          Complete at least one rule.
        </p>
      )}
      <OrderAndLimit draft={draft} mostTracks={mostTracks} onChange={setDraft} />
      <section aria-label="Preview">
        <SmartPreview rules={rules} />
      </section>
    </form>
  )
}

function useSaveSmart(playlist: Playlist | undefined) {
  const create = useCreatePlaylist()
  const update = useUpdatePlaylist(playlist?.id ?? '')
  return async (title: string, rules: SmartRules): Promise<Playlist> => {
    const saved = playlist
      ? await update.mutateAsync({ title, rules })
      : await create.mutateAsync({ title, rules })
    const message = playlist ? 'Playlist updated successfully' : 'Playlist created successfully'
    showToast({ tone: 'success', title: message })
    return saved
  }
}

function Templates({ onChoose }: { onChoose: (template: (typeof templates)[number]) => void }) {
  return (
    <div className={styles.templates} role="group" aria-label="Start from a template">
      {templates.map((template) => (
        <Button key={template.title} size="small" onClick={() => onChoose(template)}>
          {template.title}
        </Button>
      ))}
    </div>
  )
}

interface OrderAndLimitProps {
  draft: RulesDraft
  mostTracks: number
  onChange: (draft: RulesDraft) => void
}

function OrderAndLimit({ draft, mostTracks, onChange }: OrderAndLimitProps) {
  return (
    <div className={styles.pair}>
      <Select
        label="Order"
        options={orderChoices}
        value={draft.order}
        onChange={({ target }) => onChange({ ...draft, order: target.value as SmartOrder })}
      />
      <TextField
        label="Track limit"
        type="number"
        min={1}
        max={mostTracks}
        hint={
          mostTracks < maxSmartTracks ? `Up to ${mostTracks} tracks with the Free plan` : undefined
        }
        value={Number.isNaN(draft.limit) ? '' : draft.limit}
        onChange={({ target }) => {
          const limit = Math.min(Math.trunc(target.valueAsNumber), maxSmartTracks)
          onChange({ ...draft, limit })
        }}
      />
    </div>
  )
}
