export const formatMonths = (months: number) => (months === 1 ? '1 month' : `${months} months`)
