-- Which of its folders an instance has the least room in: empty for the data folder itself.
alter table instances add column folder text not null default '' check (length(folder) <= 200);
