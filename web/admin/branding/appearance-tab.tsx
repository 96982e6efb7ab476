// The Appearance tab: name, colors, texts and links of the service, with a preview of unsaved changes.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import {
  getBranding,
  updateBranding,
  type BrandingSettings,
} from '#contract/admin/admin-branding.ts'
import type { BrandingText, SiteLogo } from '#contract/fields/branding.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { useKeptFiles } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { siteQuery } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { useVersionedForm } from '../conflicts/use-versioned-form.ts'
import { SaveState } from '../shared/save-state.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import {
  brandingForm,
  brandingOfForm,
  brandingTexts,
  defaultForm,
  findBrandingProblems,
  type BrandingForm,
  type BrandingProblems,
} from './branding-form.ts'
import { BrandingPreview } from './branding-preview.tsx'
import {
  FooterSection,
  IdentitySection,
  LandingSection,
  LandingTracks,
} from './branding-sections.tsx'
import styles from './branding.module.css'
import { useEmblems, type DraftEmblems } from './use-emblems.ts'

const draftKey = 'branding'
const brandingKey = ['admin', 'branding'] as const

export function AppearanceTab() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: brandingKey,
    queryFn: ({ signal }) => call(getBranding, {}, { signal }),
    gcTime: 0,
  })
  if (data) return <AppearanceEditor branding={data} />
  if (error) {
    return (
      <ErrorState
        title="Failed to load the appearance"
        message={errorText(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <div className={styles.section} aria-busy="true">
      <Skeleton height="4.5rem" />
      <Skeleton height="4.5rem" />
      <Skeleton height="12rem" />
    </div>
  )
}

function AppearanceEditor({ branding }: { branding: BrandingSettings }) {
  const emblems = useEmblems(useKeptFiles<DraftEmblems>(draftKey))
  const edit = useVersionedForm(draftKey, branding, brandingForm, emblems)
  const { form, setForm, isUnsaved } = edit
  const { form: element, problems, showProblems } = useProblems<BrandingProblems>()
  const saving = useSaveBranding(edit, emblems)
  function submit(event?: FormEvent) {
    event?.preventDefault()
    if (!showProblems(findBrandingProblems(form)) && !saving.isPending) saving.mutate()
  }
  const fields = {
    form,
    problems,
    emblems,
    branding,
    defaults: branding.defaults,
    onChange: (changes: Partial<BrandingForm>) => setForm({ ...form, ...changes }),
  }
  const isDefault =
    JSON.stringify(form) === JSON.stringify(defaultForm) &&
    emblems.logo.shownUrl(branding.logo?.url ?? null) === null &&
    emblems.icon.shownUrl(branding.icon_url) === null
  function backToDefault() {
    setForm(defaultForm)
    emblems.reset({ logo: branding.logo !== null, icon: branding.icon_url !== null })
  }
  return (
    <>
      <EditNotes edit={edit} />
      <div className={styles.columns}>
        <div className={styles.form}>
          <form ref={element} className={styles.form} noValidate onSubmit={submit}>
            <IdentitySection {...fields} />
            <LandingSection {...fields} />
            <FooterSection {...fields} />
          </form>
          <LandingTracks {...fields} />
        </div>
        <div className={styles.aside}>
          <BrandingPreview
            texts={sharedErrorTexts(form, branding)}
            logo={shownLogo(emblems.logo.shownUrl(branding.logo?.url ?? null), branding)}
            iconUrl={emblems.icon.shownUrl(branding.icon_url)}
            accent={form.accent}
            track={form.landing_tracks[0]?.track}
          />
        </div>
      </div>
      <footer className={styles.footer}>
        <SaveState
          updatedAt={branding.updated_at}
          isUnsaved={isUnsaved}
          unsaved="Not saved yet. Only the preview shows these changes."
        />
        <span className={styles.buttons}>
          <Button disabled={isDefault} onClick={backToDefault}>
            Reset to Default
          </Button>
          <Button variant="primary" busy={saving.isPending} onClick={() => submit()}>
            Save Appearance
          </Button>
        </span>
      </footer>
    </>
  )
}

type Edit = ReturnType<typeof useVersionedForm<BrandingSettings, BrandingForm, DraftEmblems>>

function useSaveBranding(edit: Edit, emblems: ReturnType<typeof useEmblems>) {
  const queryClient = useQueryClient()
  return useAdminMutation<void, BrandingSettings>({
    async run() {
      const paths = await emblems.paths()
      return edit.save(({ form: wanted, version }) =>
        call(updateBranding, {
          body: { branding: { ...brandingOfForm(wanted), ...omitUndefined(paths) }, version },
        }),
      )
    },
    refresh: [],
    done: 'Appearance saved',
    onDone(saved) {
      queryClient.setQueryData(brandingKey, saved)
      edit.restart(saved)
      void queryClient.invalidateQueries(siteQuery)
      void queryClient.invalidateQueries({ queryKey: ['showcase'] })
    },
    failed: 'Failed to save the appearance',
  })
}

/**
 * Returns the logo for the preview. A logo that isn't saved yet gets a default size, because the server measures it on
 * save.
 */
function shownLogo(url: string | null, { logo }: BrandingSettings): SiteLogo | null {
  if (url === null) return null
  return url === logo?.url ? logo : { url, width: 120, height: 32 }
}

/** Removes paths that are undefined. The server keeps the saved image when a path is absent. */
function omitUndefined(paths: Awaited<ReturnType<ReturnType<typeof useEmblems>['paths']>>) {
  return Object.fromEntries(Object.entries(paths).filter(([, path]) => path !== undefined))
}

function sharedErrorTexts(form: BrandingForm, { defaults }: BrandingSettings) {
  const texts = brandingTexts.map((name) => [name, form[name].trim() || defaults[name]])
  return Object.fromEntries(texts) as Record<BrandingText, string>
}
