// The Features tab: which members get each new feature. Each change is saved immediately.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  listFeatureSwitches,
  setFeatureSwitch,
  type FeatureSwitch,
} from '#contract/admin/service/admin-features.ts'
import { featureAudiences, features, type FeatureAudience } from '#contract/features.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './settings-screen.module.css'

const audienceLabels: Record<FeatureAudience, string> = {
  nobody: 'Admins only',
  yearly: 'Yearly members',
  premium: 'All Premium members',
  everyone: 'Everyone',
}

export function FeaturesTab() {
  const switches = useQuery({
    queryKey: ['admin', 'features'],
    queryFn: ({ signal }) => call(listFeatureSwitches, {}, { signal }),
  })
  if (switches.error) {
    return (
      <ErrorState
        title="Failed to load the features"
        message={errorText(switches.error)}
        busy={switches.isFetching}
        onRetry={() => void switches.refetch()}
      />
    )
  }
  if (!switches.data) return <Skeleton height="9rem" />
  return (
    <div className={styles.fields}>
      <p className={textStyles.soft}>
        Roll out new features to some members first. Yearly plans promise early access to new
        features.
      </p>
      {switches.data.data.map((one) => (
        <FeatureSelect key={one.name} feature={one} />
      ))}
    </div>
  )
}

function FeatureSelect({ feature: { name, audience } }: { feature: FeatureSwitch }) {
  const queryClient = useQueryClient()
  const saving = useAdminMutation<FeatureAudience, FeatureSwitch>({
    run: (wanted) =>
      call(setFeatureSwitch, { params: { feature: name }, body: { audience: wanted } }),
    refresh: ['features'],
    done: (_, wanted) => `${features[name].title}: ${audienceLabels[wanted]}`,
    onDone: () => void queryClient.invalidateQueries({ queryKey: ['features'] }),
    failed: 'Failed to save the feature setting',
  })
  return (
    <Select
      label={features[name].title}
      hint={features[name].about}
      options={featureAudiences.map((value) => ({ value, label: audienceLabels[value] }))}
      value={saving.isPending ? saving.variables : audience}
      onChange={({ target }) => {
        const wanted = featureAudiences.find((value) => value === target.value)
        if (wanted && !saving.isPending) saving.mutate(wanted)
      }}
    />
  )
}
