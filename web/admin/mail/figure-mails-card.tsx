// Card to choose whether and when admins get the weekly report by email. Changes are saved immediately.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getFigureMails,
  setFigureMails,
  type FigureMails,
} from '#contract/admin/service/admin-figure-mails.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './mail.module.css'

const key = ['admin', 'mail', 'figures'] as const
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const dayOptions = days.map((label, index) => ({ value: String(index + 1), label }))

export function FigureMailsCard() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(getFigureMails, {}, { signal }),
  })
  return (
    <Card
      title="Weekly report"
      description="New members, revenue, plays and open tasks, compared with the week before. Sent at 8:00 UTC."
    >
      {error ? (
        <ErrorState
          title="Failed to load the weekly report settings"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <Choices saved={data} />
      ) : (
        <Skeleton height="9rem" />
      )}
    </Card>
  )
}

function Choices({ saved }: { saved: FigureMails }) {
  const queryClient = useQueryClient()
  const saving = useAdminMutation<FigureMails, FigureMails>({
    run: (body) => call(setFigureMails, { body }),
    refresh: [],
    done: 'Weekly report saved',
    onDone: (after) => queryClient.setQueryData(key, after),
    failed: 'Failed to save the weekly report settings',
  })
  const shown = saving.isPending ? saving.variables : saved
  const change = (changes: Partial<FigureMails>) => {
    if (!saving.isPending) saving.mutate({ ...saved, ...changes })
  }
  return (
    <div className={styles.form}>
      <Switch
        label="Email it to admins"
        checked={shown.is_on}
        onChange={({ target }) => change({ is_on: target.checked })}
      />
      {shown.is_on && (
        <>
          <Select
            label="Weekday"
            options={dayOptions}
            value={String(shown.weekday)}
            onChange={({ target }) => change({ weekday: Number(target.value) })}
          />
          <Switch
            label="Email it to me"
            checked={shown.for_me}
            onChange={({ target }) => change({ for_me: target.checked })}
          />
        </>
      )}
    </div>
  )
}
