// Asks for confirmation, then publishes a draft as a new version. A published version can't be changed.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { publishLegalPage, type AdminLegalPage } from '#contract/admin/admin-legal.ts'
import { legalPath } from '#contract/legal.ts'
import { call } from '../../base/api/api.ts'
import { siteQuery } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export interface PublishDialogProps {
  open: boolean
  page: AdminLegalPage
  onClose: () => void
  onPublished: (page: AdminLegalPage) => void
}

export function PublishDialog({ open, page, onClose, onPublished }: PublishDialogProps) {
  const { slug, versions } = page
  const queryClient = useQueryClient()
  const [asksConsent, setAsksConsent] = useState(false)
  const publishing = useAdminMutation<void, AdminLegalPage>({
    run: () => call(publishLegalPage, { params: { slug }, body: { asks_consent: asksConsent } }),
    refresh: [],
    done: 'Page published',
    onDone(published) {
      onPublished(published)
      void queryClient.invalidateQueries({ queryKey: ['admin', 'legal'] })
      void queryClient.invalidateQueries(siteQuery)
      setAsksConsent(false)
      onClose()
    },
    failed: 'Failed to publish the page',
  })
  const number = (versions[0]?.number ?? 0) + 1
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Publish version ${number}?`}
      description={`It becomes public at ${legalPath(slug)}. Earlier versions remain available with their dates.`}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" busy={publishing.isPending} onClick={() => publishing.mutate()}>
            Publish
          </Button>
        </>
      }
    >
      {slug === 'terms' && (
        <Checkbox
          label="Ask members to accept it on their next visit"
          checked={asksConsent}
          onChange={(event) => setAsksConsent(event.target.checked)}
        />
      )}
    </Dialog>
  )
}
