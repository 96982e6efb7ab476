// The form to edit an artist.
import type { FormEvent } from 'react'
import { updateArtist, type AdminArtist } from '#contract/admin/admin-artists.ts'
import type { ArtistLink } from '#contract/fields/artist-credits.ts'
import { call } from '../../base/api/api.ts'
import { useMay } from '../../base/session/use-may.ts'
import { useKeptFiles } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { getChangedFields } from '../conflicts/merge-forms.ts'
import { useVersionedForm, type VersionedFormKind } from '../conflicts/use-versioned-form.ts'
import { OwnerLine } from '../owners/owner-line.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { CoverField } from '../shared/cover-field.tsx'
import dialogForm from '../shared/dialog-form.module.css'
import { isFilledLink, LinkFields } from '../shared/link-fields.tsx'
import { PressLinks } from '../shared/press-links.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useCover, type DraftCover } from '../shared/use-cover.ts'
import { artistLists } from './artist-undo.ts'
import textStyles from '../../base/ui/layout/text.module.css'

interface ArtistForm {
  name: string
  slug: string
  sort_name: string
  biography: string
  links: ArtistLink[]
  has_page: boolean
}

const artistForm: VersionedFormKind<AdminArtist, ArtistForm> = {
  what: 'this artist',
  formOf: ({ name, slug, sort_name, biography, links, has_page }) => ({
    name,
    slug,
    sort_name: sort_name ?? '',
    biography: biography ?? '',
    links,
    has_page,
  }),
  labels: {
    name: 'Name',
    slug: 'Address',
    sort_name: 'Sort name',
    biography: 'Biography',
    links: 'Links',
    has_page: 'Public page',
  },
}

export interface ArtistEditorProps {
  formId: string
  artist: AdminArtist
  onSavingChange: (isSaving: boolean) => void
  onSaved: () => void
}

export function ArtistEditor({ formId, artist, onSavingChange, onSaved }: ArtistEditorProps) {
  const isAdmin = useMay('admin')
  const key = `artist:${artist.id}`
  const cover = useCover(useKeptFiles<DraftCover>(key))
  const edit = useVersionedForm(key, artist, artistForm, cover)
  const { form, setForm } = edit
  const change = (changes: Partial<ArtistForm>) => setForm({ ...form, ...changes })
  const { form: element, problems, showProblems } = useProblems<{ name: string }>()
  const saving = useAdminMutation({
    async run() {
      const cover_path = await cover.path()
      return await edit.save(({ form: wanted, base, version }) =>
        call(updateArtist, {
          params: { id: artist.id },
          body: { ...getChangedFields(omitEmptyLinks(wanted), base), cover_path, version },
        }),
      )
    },
    onSavingChange,
    refresh: artistLists,
    done: 'Artist updated successfully',
    onDone(saved: AdminArtist) {
      edit.restart(saved)
      onSaved()
    },
    failed: (error) => showReason(error, 'Failed to update artist'),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const name = form.name.trim() ? undefined : 'Artist name is required'
    if (!showProblems({ name }) && !saving.isPending) saving.mutate()
  }

  return (
    <form ref={element} id={formId} className={dialogForm.form} noValidate onSubmit={submit}>
      <EditNotes edit={edit} />
      <ArtistFields {...{ artist, form }} nameError={problems.name} onChange={change} />
      <LinkFields
        legend="Links"
        links={form.links}
        max={maxLinks}
        onChange={(links) => change({ links })}
      />
      <CoverField
        upload={cover.upload}
        current={artist}
        title={form.name}
        removed={cover.isRemoved}
        onRemovedChange={cover.setIsRemoved}
      />
      <Switch
        label="Public page"
        hint="Visible to anyone while the artist has a track or release that is open to everyone."
        checked={form.has_page}
        onChange={(event) => change({ has_page: event.target.checked })}
      />
      {isAdmin && <OwnerLine kind="artist" id={artist.id} title={artist.name} />}
      {isAdmin && <PressLinks item={{ kind: 'artist', item_id: artist.id }} />}
      {artist.aliases.length > 0 && (
        <p className={textStyles.softSmall}>Also found as {artist.aliases.join(', ')}.</p>
      )}
    </form>
  )
}

interface ArtistFieldsProps {
  artist: AdminArtist
  form: ArtistForm
  onChange: (changes: Partial<ArtistForm>) => void
  nameError: string | undefined
}

function ArtistFields({ artist, form, onChange, nameError }: ArtistFieldsProps) {
  return (
    <>
      <div className={dialogForm.pair}>
        <TextField
          data-autofocus
          label="Name"
          required
          maxLength={200}
          hint={
            form.name === artist.name
              ? undefined
              : 'All tracks are updated to the new name. Searches for the old name still find this artist.'
          }
          value={form.name}
          error={nameError}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <TextField
          label="Address"
          maxLength={80}
          hint={
            form.slug === artist.slug ? `/artists/${form.slug}` : 'The old address redirects here.'
          }
          value={form.slug}
          onChange={(event) => onChange({ slug: event.target.value })}
        />
      </div>
      <TextField
        label="Sort name"
        maxLength={200}
        placeholder="Used to sort lists"
        value={form.sort_name}
        onChange={(event) => onChange({ sort_name: event.target.value })}
      />
      <TextArea
        label="Biography"
        rows={6}
        maxLength={5000}
        value={form.biography}
        onChange={(event) => onChange({ biography: event.target.value })}
      />
    </>
  )
}

function omitEmptyLinks(form: ArtistForm): ArtistForm {
  return { ...form, links: form.links.filter(isFilledLink) }
}

const maxLinks = 10
