create table person (
  id integer primary key,
  given text not null,
  family text not null,
  email text unique,
  created text not null check (created glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')
);
create table phone (
  person_id integer not null references person (id),
  kind text not null,
  number text not null,
  primary key (person_id, number)
);
create table tag (
  id integer primary key,
  name text not null unique
);
create table person_tag (
  person_id integer not null references person (id),
  tag_id integer not null references tag (id),
  primary key (person_id, tag_id)
);
create table note (
  id integer primary key,
  person_id integer not null references person (id),
  body text not null,
  written text not null
);
