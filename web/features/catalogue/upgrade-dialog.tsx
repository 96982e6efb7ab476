// Shown when a free member reaches a limit of the plan. The wording is specified.
import { useNavigate } from 'react-router'
import { sharedErrorTexts } from '#contract/shown-texts.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'

export type UpgradeReason = 'playlists' | 'tracks' | 'tracks-while-editing'

const texts: Record<UpgradeReason, { title: string; message: string }> = {
  playlists: { title: '🔒 Upgrade to Premium', message: sharedErrorTexts.playlist_limit_reached },
  tracks: { title: '🔒 Upgrade to Premium', message: sharedErrorTexts.track_limit_reached },
  'tracks-while-editing': {
    title: 'Track Limit Reached',
    message: sharedErrorTexts.track_limit_reached,
  },
}

export interface UpgradeDialogProps {
  /** The limit that was reached; null when the dialog is closed. */
  reason: UpgradeReason | null
  onClose: () => void
}

export function UpgradeDialog({ reason, onClose }: UpgradeDialogProps) {
  const navigate = useNavigate()
  const { title, message } = texts[reason ?? 'playlists']
  return (
    <Dialog
      open={reason !== null}
      onClose={onClose}
      title={title}
      description={message}
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Not Now</Button>
          <Button
            variant="primary"
            data-autofocus
            onClick={() => {
              onClose()
              void navigate('/subscribe')
            }}
          >
            Upgrade Now
          </Button>
        </>
      }
    />
  )
}
