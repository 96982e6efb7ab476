// Tables for statistics by day and month, including those of the demo.
import type { Generated } from 'kysely'

interface InsightDays {
  day: string
  starts: Generated<number>
  plays: Generated<number>
  previews: Generated<number>
  completed: Generated<number>
  heard_seconds: Generated<number>
  listeners: Generated<number>
  listeners_7d: Generated<number>
  sign_ups: Generated<number>
}

interface TrackDays {
  day: string
  track_id: string
  starts: number
  plays: number
  previews: number
  completed: number
  heard_seconds: number
  left_at: number[]
  conversions: Generated<number>
}

interface TrackMonths {
  month: string
  track_id: string
  starts: number
  plays: number
  previews: number
  completed: number
  conversions: number
}

interface MoneyDays {
  day: string
  currency: string
  revenue_cents: Generated<number>
  refunds_cents: Generated<number>
  mrr_cents: Generated<number>
  paying: Generated<number>
  lost: Generated<number>
  conversions: Generated<number>
  preview_conversions: Generated<number>
}

interface InsightState {
  id: Generated<number>
  plays_until: string | null
  money_until: string | null
  rolled_at: string | null
  took_ms: Generated<number>
}

interface DemoSteps {
  step: string
  upload_path: string | null
  track_id: string | null
  done_at: string | null
}

interface DemoActivity {
  user_id: string
  kind: 'play' | 'like' | 'playlist'
  item_id: string
}

interface DemoInsightDays {
  day: string
  starts: number
  plays: number
  previews: number
  completed: number
  heard_seconds: number
  listeners: number
  listeners_7d: number
  sign_ups: number
}

interface DemoTrackDays {
  day: string
  track_id: string
  starts: number
  plays: number
  previews: number
  completed: number
  heard_seconds: number
  left_at: number[]
  conversions: number
}

interface DemoMoneyDays {
  day: string
  currency: string
  revenue_cents: number
  refunds_cents: number
  mrr_cents: number
  paying: number
  lost: number
  conversions: number
  preview_conversions: number
}

export interface InsightsTables {
  insight_days: InsightDays
  track_days: TrackDays
  track_months: TrackMonths
  money_days: MoneyDays
  insight_state: InsightState
  demo_steps: DemoSteps
  demo_activity: DemoActivity
  demo_insight_days: DemoInsightDays
  demo_track_days: DemoTrackDays
  demo_money_days: DemoMoneyDays
}
