// /admin/settings: the settings of the service, in tabs.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { getSettings, updateSettings, type Settings } from '#contract/admin/admin-settings.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { siteQuery } from '../../base/session/site.ts'
import { noFiles } from '../../base/forms/use-form-draft.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { Tabs } from '../../base/ui/layout/tabs.tsx'
import { showFailure } from '../shared/admin-failure.ts'
import { AdminPage } from '../shared/admin-page.tsx'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { useVersionedForm } from '../conflicts/use-versioned-form.ts'
import { useFailureToast } from '../shared/lists/data-table.tsx'
import { SaveState } from '../shared/save-state.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { PricesPanel } from '../prices/prices-panel.tsx'
import { AppearanceTab } from '../branding/appearance-tab.tsx'
import { LegalTab } from '../legal/legal-tab.tsx'
import { MailTab } from '../mail/mail-tab.tsx'
import { StripeConnectionCard } from '../stripe/stripe-connection-card.tsx'
import { useConnection } from '../stripe/stripe-queries.ts'
import { AuditTab } from './audit-tab.tsx'
import { FeaturesTab } from './features-tab.tsx'
import { GeneralTab } from './general-tab.tsx'
import { previewsKey } from './preview-progress.tsx'
import { settingsForm, settingsOfForm } from './settings-form.ts'
import styles from './settings-screen.module.css'
import { StripeTab } from './stripe-tab.tsx'
import { WebhookTab } from './webhook-tab.tsx'

const names = ['tab'] as const

export function SettingsScreen() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin', 'settings'],
    queryFn: ({ signal }) => call(getSettings, {}, { signal }),
    // Never refetch while the form is open, because its unsaved changes are based on this data.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useFailureToast(error, (reason) => showFailure(reason, 'Failed to load settings'))
  // Load the Stripe connection together with the settings, so that its card doesn't push the fields down later.
  const { values } = useUrlFilters(names)
  const { isLoading } = useConnection({ enabled: values.tab === 'stripe' })
  const [isOpen, setIsOpen] = useState(false)
  if (data && !isLoading && !isOpen) setIsOpen(true)
  return (
    <AdminPage title="System Settings" note="Changes apply to everyone as soon as you save.">
      {data && isOpen ? (
        <SettingsEditor settings={data} />
      ) : error ? (
        <ErrorState
          title="Failed to load settings"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className={styles.fields} aria-busy="true">
          <Skeleton height="3rem" />
          <Skeleton height="4.5rem" />
          <Skeleton height="4.5rem" />
        </div>
      )}
    </AdminPage>
  )
}

/** Tabs that have their own save button. The form's save button is hidden there. */
const ownFooters = new Set(['appearance', 'legal', 'mail', 'features'])

function SettingsEditor({ settings }: { settings: Settings }) {
  const { values, change } = useUrlFilters(names)
  const queryClient = useQueryClient()
  const edit = useVersionedForm('settings', settings, settingsForm, noFiles)
  const { form, setForm } = edit
  const saving = useAdminMutation<void, Settings>({
    run: () =>
      edit.save(({ form: wanted, base, version }) =>
        call(updateSettings, {
          body: { action: 'update', settings: settingsOfForm(wanted, base), version },
        }),
      ),
    refresh: [],
    done: 'Settings saved successfully',
    onDone(saved) {
      queryClient.setQueryData(['admin', 'settings'], saved)
      edit.restart(saved)
      void queryClient.invalidateQueries({ queryKey: previewsKey })
      void queryClient.invalidateQueries(siteQuery)
    },
    failed: 'Failed to save settings',
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!saving.isPending) saving.mutate()
  }
  const fields = {
    form,
    onChange: (changes: Partial<typeof form>) => setForm({ ...form, ...changes }),
  }
  return (
    <>
      <EditNotes edit={edit} />
      <Tabs
        label="Settings"
        value={values.tab || 'general'}
        onChange={(tab) => change({ tab: tab === 'general' ? '' : tab }, { replace: true })}
        tabs={[
          {
            id: 'general',
            label: 'General',
            panel: <GeneralTab onSubmit={submit} {...fields} />,
          },
          {
            id: 'stripe',
            label: 'Stripe',
            panel: (
              <div className={styles.fields}>
                <StripeConnectionCard />
                <StripeTab onSubmit={submit} currency={settings.currency} {...fields} />
              </div>
            ),
          },
          { id: 'webhook', label: 'Webhook Test', panel: <WebhookTab /> },
          { id: 'audit', label: 'Audit Logs', panel: <AuditTab /> },
          { id: 'appearance', label: 'Appearance', panel: <AppearanceTab /> },
          { id: 'legal', label: 'Legal', panel: <LegalTab /> },
          { id: 'mail', label: 'Email', panel: <MailTab /> },
          { id: 'features', label: 'Features', panel: <FeaturesTab /> },
        ]}
      />
      {!ownFooters.has(values.tab) && (
        <footer className={styles.footer}>
          <SaveState updatedAt={settings.updated_at} />
          <Button variant="primary" busy={saving.isPending} onClick={() => saving.mutate()}>
            Save Settings
          </Button>
        </footer>
      )}
      {values.tab === 'stripe' && <PricesPanel />}
    </>
  )
}
