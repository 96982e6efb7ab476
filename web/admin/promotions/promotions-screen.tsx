// /admin/billing/codes: lists promotion codes. Stripe stores the codes and counts how often they are used.
import { useQuery } from '@tanstack/react-query'
import { IconPlus, IconReceipt } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import {
  deactivatePromotionCode,
  listPromotionCodes,
  type AdminPromotion,
} from '#contract/admin/money/admin-promotions.ts'
import { call } from '../../base/api/api.ts'
import { formatPromotion } from '../../base/format/format-promotion.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { formatEnd } from '../shared/format/format-moment.ts'
import { DataTable } from '../shared/lists/data-table.tsx'
import { useLast } from '../shared/lists/use-last.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { PromotionDialog } from './promotion-dialog.tsx'

export function PromotionsScreen() {
  const codes = useQuery({
    queryKey: ['admin', 'billing', 'promotions'],
    queryFn: ({ signal }) => call(listPromotionCodes, {}, { signal }),
  })
  const [isAdding, setAdding] = useState(false)
  const [ending, setEnding] = useState<AdminPromotion | null>(null)
  const shown = useLast(ending)
  const deactivation = useAdminMutation<AdminPromotion>({
    run: ({ id }) => call(deactivatePromotionCode, { params: { promotion_code_id: id } }),
    refresh: ['billing'],
    done: 'Code deactivated',
    onDone: () => setEnding(null),
    failed: 'Failed to deactivate the code',
  })
  const addButton = (
    <Button variant="primary" icon={<IconPlus />} onClick={() => setAdding(true)}>
      Add Code
    </Button>
  )
  return (
    <AdminPage
      title="Promotion Codes"
      note={
        codes.data?.has_more
          ? 'The 100 newest codes. Older ones are in Stripe.'
          : 'Stored in Stripe, which also counts their uses.'
      }
      actions={
        <>
          <ButtonLink to="/admin/billing">Billing</ButtonLink>
          {codes.data?.is_configured !== false && addButton}
        </>
      }
    >
      <DataTable
        label="Promotion codes"
        query={codes}
        failedTitle="Failed to load promotion codes"
        stacked
        columns={['Code', 'Discount', 'Uses', 'Ends', 'For', 'Actions']}
        empty={
          codes.data?.is_configured === false ? (
            <EmptyState
              icon={<IconReceipt />}
              title="Stripe is not set up"
              message="Promotion codes are stored in Stripe. Connect Stripe in System Settings."
            />
          ) : (
            <EmptyState icon={<IconReceipt />} title="No promotion codes yet" action={addButton} />
          )
        }
      >
        {(codes.data?.data ?? []).map((code) => (
          <PromotionRow key={code.id} code={code} onDeactivate={() => setEnding(code)} />
        ))}
      </DataTable>
      <PromotionDialog open={isAdding} onClose={() => setAdding(false)} />
      <ConfirmDialog
        open={ending !== null}
        title={`Deactivate ${shown?.code ?? ''}`}
        message="The code can no longer be used and cannot be reactivated. Existing discounts remain."
        confirmLabel="Deactivate"
        busy={deactivation.isPending}
        onConfirm={() => ending && deactivation.mutate(ending)}
        onCancel={() => setEnding(null)}
      />
    </AdminPage>
  )
}

function PromotionRow({ code, onDeactivate }: { code: AdminPromotion; onDeactivate: () => void }) {
  const { max_uses, times_used, expires_at, is_active } = code
  return (
    <tr>
      <th scope="row">{code.code}</th>
      <td data-label="Discount">{formatPromotion(code)}</td>
      <td data-label="Uses">
        {times_used}
        {max_uses !== null && ` of ${max_uses}`}
      </td>
      <td data-label="Ends">{expires_at ? formatEnd(expires_at) : 'Never'}</td>
      <td data-label="For">{describeAudience(code)}</td>
      <td data-label="Actions">
        {is_active ? (
          <Button size="small" aria-label={`Deactivate ${code.code}`} onClick={onDeactivate}>
            Deactivate
          </Button>
        ) : (
          <Badge>Inactive</Badge>
        )}
      </td>
    </tr>
  )
}

function describeAudience({ plan, is_first_time_only }: AdminPromotion): string {
  const plans = plan === null ? 'Both plans' : plan === 'monthly' ? 'Monthly' : 'Yearly'
  return is_first_time_only ? `${plans}, new members` : plans
}
