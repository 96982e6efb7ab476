// A chart with a heading. A table with the same data is for people who can't see the chart.
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { Table } from '../../base/ui/lists/table.tsx'
import styles from './insights-screen.module.css'
import type { LineChartProps } from './line-chart.tsx'

const LineChart = lazy(async () => ({ default: (await import('./line-chart.tsx')).LineChart }))

const chartHeight = 220

export interface ChartCardProps extends LineChartProps {
  title: string
  description: string
  /** True to omit the card's background, in a sheet that has its own. */
  bare?: boolean
}

export function ChartCard({ title, description, bare, ...chart }: ChartCardProps) {
  const [isTable, setIsTable] = useState(false)
  const isEmpty = chart.series.every(({ values }) => values.every((value) => value === 0))
  const content = isEmpty ? (
    <p className={styles.nothing}>No data for this period.</p>
  ) : isTable ? (
    <div className={styles.numbers}>
      <NumberTable title={title} {...chart} />
    </div>
  ) : (
    <div role="img" aria-label={summarizeChart(title, chart)}>
      <Suspense fallback={<Skeleton height={`${chartHeight}px`} />}>
        <LineChart {...chart} height={chartHeight} />
      </Suspense>
    </div>
  )
  const toggle = !isEmpty && (
    <Button
      size="small"
      aria-label={`${title}: ${isTable ? 'Chart' : 'Table'}`}
      onClick={() => setIsTable(!isTable)}
    >
      {isTable ? 'Chart' : 'Table'}
    </Button>
  )
  if (bare) {
    return (
      <section className={styles.bare}>
        <header>
          <h3>{title}</h3>
          {toggle}
        </header>
        <p className={styles.description}>{description}</p>
        {content}
      </section>
    )
  }
  return (
    <Card title={title} description={description} actions={toggle}>
      {content}
    </Card>
  )
}

function NumberTable(props: { title: string } & LineChartProps) {
  const { title, rowTitle, labels, series, format } = props
  return (
    <Table label={title}>
      <thead>
        <tr>
          <th scope="col">{rowTitle}</th>
          {series.map(({ label }) => (
            <th key={label} scope="col" data-numeric>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labels.map((name, row) => (
          <tr key={name + row}>
            <th scope="row">{name}</th>
            {series.map(({ label, values }) => (
              <td key={label} data-numeric>
                {format(values[row] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** Returns a sentence that summarizes the chart for screen readers. */
function summarizeChart(title: string, { labels, series, format }: LineChartProps): string {
  const [main] = series
  const highest = Math.max(...(main?.values ?? [0]))
  const at = main?.values.indexOf(highest) ?? 0
  return `${title}: highest ${format(highest)} at ${labels[at]}, last ${format(main?.values.at(-1) ?? 0)}. The table contains all values.`
}
