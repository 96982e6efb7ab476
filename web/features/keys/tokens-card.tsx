// The user's access tokens for programs.
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { AccessToken } from '#contract/access-tokens.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { describeUse, formatDay } from './describe-use.ts'
import { KeyList } from './key-list.tsx'
import { accessTokensQuery, useRevokeAccessToken } from './key-queries.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'

export function TokensCard({ role }: { role: string }) {
  const tokens = useQuery(accessTokensQuery)
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<AccessToken>()
  const revoking = useRevokeAccessToken(() => setRevoked(undefined))
  return (
    <Card
      title="Access tokens"
      description={
        <>
          For scripts and programs that use the API in your name.{' '}
          <a href="/api/docs/guides/getting-started">How to use it</a>
        </>
      }
      actions={
        <Button icon={<IconPlus />} onClick={() => setCreating(true)}>
          New Token
        </Button>
      }
    >
      <KeyList
        keys={tokens}
        empty={{ title: 'No tokens', message: 'You need one only for your own programs.' }}
        failed="Your access tokens could not be loaded"
        describe={describeToken}
        onRevoke={setRevoked}
      />
      {isCreating && <NewTokenDialog role={role} onClose={() => setCreating(false)} />}
      <ConfirmDialog
        open={revoked !== undefined}
        title={`Revoke ${revoked?.name ?? 'this token'}?`}
        message="Programs that use it lose access immediately."
        confirmLabel="Revoke Token"
        busy={revoking.isPending}
        onConfirm={() => revoked && revoking.mutate(revoked.id)}
        onCancel={() => setRevoked(undefined)}
      />
    </Card>
  )
}

function describeToken(token: AccessToken): string {
  const end = `${token.is_expired ? 'Expired' : 'Valid until'} ${formatDay(token.expires_at)}`
  return `${token.scopes.join(', ')}. ${end}. ${describeUse(token)}`
}
